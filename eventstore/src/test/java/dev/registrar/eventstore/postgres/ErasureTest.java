package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.ErasingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Masking.Masked;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateStore.StoredState;
import dev.registrar.eventstore.Tag;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An erasure overwrites what is personal, where it lies, and nothing else. */
class ErasureTest extends PostgresStoreFixture {
    private static final Actor OFFICE = Actor.of("issuer", "office");
    private static final Query ANN = Query.of(QueryItem.tags("student:ann"));
    private static final Tag ADDRESS = new Tag("email:ann@example.org");

    /** Everything of the event is personal, and the tag of the address. */
    private static final Masking ALL = stored -> new Masked("{}", "{}", Actor.of("issuer", "erased"), Set.of(ADDRESS));

    private static Event registered() {
        return Event.of("Registered", "{\"name\":\"Ann Archer\"}", "student:ann", ADDRESS.value())
                .withMetadata("{\"correlationId\":\"ann archer\"}");
    }

    private static Masking replacing(String text, String by) {
        return stored -> new Masked(
                stored.event().payload().replace(text, by), stored.event().metadata(), stored.actor(), Set.of());
    }

    private static List<SequencedEvent> all() {
        return store.read(Query.all()).stream().toList();
    }

    private static List<String> payloads() {
        return all().stream().map(stored -> stored.event().payload()).toList();
    }

    private static <T> T answer(Class<T> type, String query) {
        return JdbcClient.create(database.database().dataSource())
                .sql(query)
                .query(type)
                .single();
    }

    private static long erasures() {
        return answer(Long.class, "select count(*) from registrar.erasures");
    }

    @Test
    void it_overwrites_payload_metadata_actor_and_tags_and_keeps_the_rest() {
        store.append(Append.of(registered(), event()).by(Actor.of("issuer", "ann archer")));
        List<SequencedEvent> before = all();

        assertThat(store.erase(ANN, ALL, OFFICE, "request 17")).isEqualTo(1);

        SequencedEvent old = before.getFirst();
        assertThat(all())
                .containsExactly(
                        new SequencedEvent(
                                old.position(),
                                Event.of(old.event().id(), "Registered", List.of(new Tag("student:ann")), "{}", "{}"),
                                old.recordedAt(),
                                Actor.of("issuer", "erased")),
                        before.getLast());
        assertThat(store.exists(Query.of(QueryItem.tags(ADDRESS.value())))).isFalse();
        assertThat(answer(Boolean.class, """
                        select size = registrar.event_size('{student:ann}', payload, metadata, actor)
                        from registrar.events
                        where position = 1""")).isTrue();
    }

    @Test
    void it_is_recorded_with_who_and_why_and_how_many() {
        store.append(List.of(registered(), registered()));

        store.erase(ANN, ALL, OFFICE, "request 17");

        assertThat(answer(String.class, """
                        select concat_ws(' ', number, actor, reason, events, length(query), erased_at > now() - interval '1 hour')
                        from registrar.erasures""")).isEqualTo("1 " + OFFICE.json() + " request 17 2 64 t");
        assertThat(store.erasures()).isEqualTo(1);
    }

    @Test
    void a_repetition_changes_and_records_nothing() {
        store.append(List.of(registered()));
        store.erase(ANN, ALL, OFFICE, "request 17");
        List<SequencedEvent> erased = all();

        assertThat(store.erase(ANN, ALL, OFFICE, "request 17")).isZero();

        assertThat(all()).isEqualTo(erased);
        assertThat(erasures()).isEqualTo(1);
    }

    @Test
    void decisions_come_out_as_before_but_those_about_a_tag_that_goes() {
        store.append(List.of(registered()));
        store.erase(ANN, ALL, OFFICE, "request 17");

        assertThat(store.append(List.of(event()), AppendCondition.failIfEventsMatch(ANN)))
                .isInstanceOf(Conflict.class);
        assertThat(store.append(
                        List.of(registered()),
                        AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(ADDRESS.value())))))
                .isEqualTo(new Appended(Position.of(2), Position.of(2), false));
    }

    @Test
    void the_keys_of_the_appends_go_and_no_others() {
        List<Event> course = List.of(event(), event(), event());
        IdempotencyKey before = new IdempotencyKey("before", "f");
        IdempotencyKey around = new IdempotencyKey("around", "f");
        IdempotencyKey after = new IdempotencyKey("after", "f");
        store.append(Append.of(course).under(before));
        store.append(Append.of(event(), registered(), event()).under(around));
        store.append(Append.of(course).under(after));

        store.erase(ANN, ALL, OFFICE, "request 17");

        assertThat(store.appendedUnder(before)).isPresent();
        assertThat(store.appendedUnder(around)).isEmpty();
        assertThat(store.appendedUnder(after)).isPresent();
    }

    /*
     * The process ends after the first thousand events: the masking of the next ones fails. What is done stays done,
     * and the next call goes on.
     */
    @Test
    void an_interrupted_erasure_goes_on_where_it_ended() {
        int events = ErasingEventStore.MAX_EVENTS + 100;
        store.append(IntStream.range(0, ErasingEventStore.MAX_EVENTS)
                .mapToObj(i -> registered())
                .toList());
        store.append(IntStream.range(0, 100).mapToObj(i -> registered()).toList());
        AtomicInteger masked = new AtomicInteger();
        Masking failing = stored -> {
            if (masked.incrementAndGet() > ErasingEventStore.MAX_EVENTS) {
                throw new IllegalStateException("killed");
            }
            return ALL.mask(stored);
        };

        assertThatThrownBy(() -> store.erase(ANN, failing, OFFICE, "request 17"))
                .hasMessage("killed");
        assertThat(payloads()).filteredOn("{}"::equals).hasSize(ErasingEventStore.MAX_EVENTS);
        assertThat(store.erase(ANN, ALL, OFFICE, "request 17")).isEqualTo(100);

        assertThat(payloads()).hasSize(events).containsOnly("{}");
        assertThat(erasures()).isEqualTo(2);
    }

    /*
     * Another instance erases one part of the event, after this one has read the event and before it overwrites it.
     * Without the comparison of the numbers of erasures, this one would store again what the other has erased.
     */
    @Test
    void two_erasures_at_once_lose_neither() {
        PostgresEventStore other = database.newStore();
        store.append(List.of(Event.of("Registered", "Ann, ann@example.org", "student:ann")));
        AtomicInteger masked = new AtomicInteger();
        Masking slow = stored -> {
            if (masked.incrementAndGet() == 1) {
                other.erase(ANN, replacing("ann@example.org", "(address)"), OFFICE, "of another instance");
            }
            return replacing("Ann,", "(name),").mask(stored);
        };

        store.erase(ANN, slow, OFFICE, "of this instance");

        assertThat(payloads()).containsExactly("(name), (address)");
        assertThat(masked).hasValue(2);
    }

    @Test
    void many_erasures_at_once_all_end() throws Exception {
        int students = 8;
        for (int i = 0; i < students; i++) {
            store.append(List.of(Event.of("Registered", "personal", "student:" + i)));
        }
        List<Future<Long>> erasures = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < students; i++) {
                Query student = Query.of(QueryItem.tags("student:" + i));
                erasures.add(callers.submit(() -> store.erase(student, ALL, OFFICE, "request")));
            }
        }
        for (Future<Long> erasure : erasures) {
            assertThat(erasure.get()).isEqualTo(1);
        }
        assertThat(payloads()).containsOnly("{}");
    }

    @Test
    void other_instances_learn_of_an_erasure() {
        PostgresEventStore other = database.newStore();
        AtomicInteger told = new AtomicInteger();
        other.onErasure(told::incrementAndGet);
        store.append(List.of(registered()));

        store.erase(ANN, ALL, OFFICE, "request 17");

        await().untilAsserted(() -> assertThat(other.erasures()).isEqualTo(1));
        assertThat(told).hasValue(1);
    }

    @Test
    void stored_states_go_and_one_that_was_folded_before_does_not_come_back() {
        store.append(List.of(registered()));
        StoredState before = new StoredState("student ann", "1", store.head(), 1, "Ann Archer", 0);
        assertThat(store.store(before)).isTrue();

        store.erase(ANN, ALL, OFFICE, "request 17");

        assertThat(store.store(before)).isFalse();
        assertThat(answer(Long.class, "select count(*) from registrar.stored_states"))
                .isZero();
        assertThat(store.store(new StoredState("student ann", "1", store.head(), 1, "erased", 1)))
                .isTrue();
    }

    /*
     * An instance is storing a state: its statement began before the erasure, and commits while the erasure waits for
     * it. Without the lock of the table the state would stay.
     */
    @Test
    void an_erasure_waits_for_a_state_that_is_being_stored() throws Exception {
        store.append(List.of(registered()));
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            connection.setAutoCommit(false);
            statement.execute("""
                    insert into registrar.stored_states
                        (key, version, position, incarnation, last_event_id, events, state)
                    select 'student ann', '1', 1, incarnation, gen_random_uuid(), 1, 'Ann Archer' from registrar.store""");
            Future<Long> erasure = callers.submit(() -> store.erase(ANN, ALL, OFFICE, "request 17"));
            await().until(
                            () -> answer(
                                    Boolean.class,
                                    "select exists (select from pg_locks where relation = 'registrar.stored_states'::regclass and not granted)"));
            connection.commit();

            assertThat(erasure.get()).isEqualTo(1);
        }
        assertThat(answer(Long.class, "select count(*) from registrar.stored_states"))
                .isZero();
    }

    @Test
    void recorded_errors_of_the_events_go() {
        store.append(List.of(event(), registered()));
        database.execute("""
                insert into registrar.projections (name, build, version, incarnation, position, error, error_position)
                select name, 'live', 1, incarnation, 1, error, error_position
                from registrar.store,
                    (values ('students', 'bad Ann Archer', 2), ('rosters', 'of no known event', null), ('courses', null, null))
                        failed (name, error, error_position);
                insert into registrar.projection_skips (name, build, position, error, skipped_by)
                values ('students', 'live', 2, 'bad Ann Archer', 'setting'), ('students', 'live', 1, 'other', 'setting');
                """);

        store.erase(ANN, ALL, OFFICE, "request 17");

        assertThat(answer(String.class, """
                        select concat_ws('; ', (select string_agg(error, ', ') from registrar.projections),
                            (select string_agg(error, ', ' order by position) from registrar.projection_skips))"""))
                .isEqualTo("The event was erased, The event was erased; other, The event was erased");
        database.execute("delete from registrar.projections");
    }

    /* The row of this very transaction opens the log, and no other one does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update registrar.events set payload = 'personal'",
                "begin; %s; commit; begin; update registrar.events set payload = 'personal'",
                "begin; %s; update registrar.events set position = 3",
                "begin; %s; update registrar.events set id = gen_random_uuid()",
                "begin; %s; update registrar.events set type = 'Other'",
                "begin; %s; update registrar.events set recorded_at = recorded_at - interval '1 s'",
                "begin; %s; update registrar.events set original_time = now()",
                "begin; %s; delete from registrar.events",
                "begin; %s; update registrar.event_tags set tag = 'other'",
                "delete from registrar.event_tags",
                "update registrar.erasures set reason = ''",
                "delete from registrar.erasures",
                "truncate registrar.erasures"
            })
    void the_owner_s_own_statements_change_nothing(String change) throws SQLException {
        store.append(List.of(registered()));
        store.erase(ANN, ALL, OFFICE, "request 17");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(change.formatted("""
                            insert into registrar.erasures (number, transaction, erased_at, actor, reason, query, events)
                            values ((select max(number) + 1 from registrar.erasures), pg_current_xact_id(), now(), '', '', '', 1)""")))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("DCB02"));
            statement.execute("rollback");
        }
    }

    @Test
    void a_reason_that_is_missing_or_too_long_is_refused() {
        assertThatThrownBy(() -> store.erase(ANN, ALL, OFFICE, " ")).isInstanceOf(RefusedInputException.class);
        assertThatThrownBy(() -> store.erase(ANN, ALL, OFFICE, "r".repeat(ErasingEventStore.MAX_REASON_LENGTH + 1)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("1 to 500 characters");
    }
}
