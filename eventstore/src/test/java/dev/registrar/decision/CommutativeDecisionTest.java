package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands without facts are appended without a condition, a read or a second attempt. */
class CommutativeDecisionTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final IdempotencyKey KEY = new IdempotencyKey("k1", "stand");

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Rooms.Codec codec = new Rooms.Codec();

    /** Admits guests to a room until noon, regardless of its seats. */
    private record LetIn(String room, List<String> guests) implements CommutativeDecision<SeatTaken, Refused> {
        static LetIn of(String room, String... guests) {
            return new LetIn(room, List.of(guests));
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Instant now) {
            return now.isAfter(NOON)
                    ? Verdict.refuse(Refused.ROOM_FULL)
                    : new Verdict.Accept<>(guests.stream()
                            .map(guest -> new SeatTaken(room, guest))
                            .toList());
        }
    }

    @Test
    void a_commutative_decision_appends_without_a_condition_or_a_read() {
        List<Append> requests = new ArrayList<>();
        InterleavingStore watched = new InterleavingStore(store, request -> {
            requests.add(request);
            return request;
        });

        assertThat(loop(watched).execute(LetIn.of("A", "ann", "bob"), Origin.correlatedBy("c-1"), KEY))
                .isEqualTo(new Accepted<>(
                        List.of(new SeatTaken("A", "ann"), new SeatTaken("A", "bob")), Position.of(2), false));

        assertThat(requests).singleElement().satisfies(request -> {
            assertThat(request.conditions()).isEmpty();
            assertThat(request.idempotencyKey()).isEqualTo(KEY);
            assertThat(request.events())
                    .allSatisfy(event -> assertThat(event.metadata()).contains("\"correlationId\":\"c-1\""));
        });
        assertThat(watched.reads()).isZero();
    }

    /*
     * Before the append, another guest takes a seat in the same room. A decision with a fact about the seats loses this
     * race and decides again. A commutative decision does not conflict.
     */
    @Test
    void a_commutative_decision_does_not_conflict_with_concurrent_events() {
        InterleavingStore meddled = new InterleavingStore(
                store,
                () -> store.append(List.of(
                        codec.encode(new SeatTaken("A", "rival" + store.head().position()))
                                .event())));

        assertThat(loop(meddled).execute(LetIn.of("A", "ann"))).isInstanceOf(Accepted.class);
        assertThat(meddled.appends()).isOne();

        assertThat(loop(meddled).execute(TakeSeats.of("A", 3, "bob"))).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
    }

    @Test
    void decisions_with_facts_see_its_events_and_conflict_with_them() {
        DecisionLoop<SeatTaken> loop = loop(store);
        loop.execute(TakeSeats.of("A", 3, "ann"));

        loop.execute(LetIn.of("A", "bob"));

        assertThat(loop.execute(TakeSeats.of("A", 3, "cid"))).isInstanceOf(Accepted.class);
        assertThat(loop.execute(TakeSeats.of("A", 3, "dan"))).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
    }

    @Test
    void a_repetition_under_the_same_key_appends_once() {
        Accepted<SeatTaken, Refused> first =
                (Accepted<SeatTaken, Refused>) loop(store).execute(LetIn.of("A", "ann"), Origin.UNKNOWN, KEY);

        assertThat(loop(store).execute(LetIn.of("A", "ann"), Origin.UNKNOWN, KEY))
                .isEqualTo(new Accepted<>(first.events(), first.position(), true));
        assertThat(store.count(Query.all())).isOne();
    }

    /*
     * The first request commits after the second has looked the key up. It is past noon when the second request is
     * decided.
     */
    @Test
    void a_repetition_that_overlaps_the_first_request_returns_its_answer() {
        LetIn command = LetIn.of("A", "ann");
        InterleavingStore overlapped =
                InterleavingStore.afterLookup(store, () -> loop(store).execute(command, Origin.UNKNOWN, KEY));
        DecisionLoop<SeatTaken> late =
                new DecisionLoop<>(overlapped, codec, RetryBounds.DEFAULT, 0, () -> NOON.plusSeconds(1));

        assertThat(late.execute(command, Origin.UNKNOWN, KEY))
                .isEqualTo(new Accepted<>(List.of(new SeatTaken("A", "ann")), Position.of(1), true));
    }

    @Test
    void a_commutative_decision_may_refuse_or_accept_without_events() {
        store.append(List.of(codec.encode(new SeatTaken("B", "ann")).event()));

        assertThat(loop(store).execute(LetIn.of("A"))).isEqualTo(new Accepted<>(List.of(), Position.of(1), false));
        Scenario.of(codec).at(NOON.plusSeconds(1)).when(LetIn.of("A", "ann")).thenRefused(Refused.ROOM_FULL);
    }

    @Test
    void an_ordinary_decision_without_facts_is_an_error() {
        Decision<SeatTaken, Refused> forgetful = new Decision<>() {
            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return List.of();
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                return Verdict.accept(new SeatTaken("A", "ann"));
            }

            @Override
            public String toString() {
                return "Forgetful";
            }
        };

        assertThatThrownBy(() -> loop(store).execute(forgetful))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A decision must name at least one fact, but Forgetful names none;"
                        + " if it needs no fact, implement CommutativeDecision");
        assertThat(store.count(Query.all())).isZero();
    }

    @Test
    void a_commutative_decision_with_facts_does_not_compile(@TempDir Path folder) throws IOException {
        String command = """
                package dev.registrar.decision;

                record Command(SeatsOf seats) implements CommutativeDecision<String, Void> {
                    @Override
                    public Verdict<String, Void> decide(java.time.Instant now) {
                        return Verdict.nothing();
                    }
                    %s
                }

                interface SeatsOf extends Fact<String, Integer> {}
                """;

        assertThat(compile(folder, command.formatted(""))).isEmpty();
        assertThat(compile(folder, command.formatted("""
                    @Override
                    public java.util.List<SeatsOf> facts() {
                        return java.util.List.of(seats);
                    }""")))
                .contains("facts() in Command cannot implement facts() in CommutativeDecision");
        assertThat(LetIn.of("A").facts()).isEmpty();
    }

    /* The compiler's errors; empty if there are none. */
    private static String compile(Path folder, String source) throws IOException {
        Path file = Files.writeString(folder.resolve("Command.java"), source);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            errors,
                            files,
                            null,
                            Stream.of(
                                            "-proc:none",
                                            "-d",
                                            folder.toString(),
                                            "-cp",
                                            System.getProperty("java.class.path"))
                                    .toList(),
                            null,
                            files.getJavaFileObjects(file))
                    .call();
            assertThat(compiled).as("%s", errors).isEqualTo(errors.toString().isEmpty());
        }
        return errors.toString();
    }

    private DecisionLoop<SeatTaken> loop(EventStore on) {
        return new DecisionLoop<>(on, codec, RetryBounds.DEFAULT, 100, () -> NOON);
    }
}
