package dev.registrar.projection.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.commands.CommandsView.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands of a correlation, including metadata that other clients wrote. */
class CommandsViewTest {
    private static final CourseId MATHS = new CourseId("maths");

    private final CommandsView view = new CommandsView();
    private final StoreDatabase database = new StoreDatabase();
    private final EventStore store = database.newStore();
    private final ProjectionRunner runner =
            ProjectionRunner.open(database.database().dataSource(), store, List.of(view));

    @AfterEach
    void close() {
        runner.close();
        database.close();
    }

    @Test
    void the_commands_of_a_correlation_are_listed_in_their_order() {
        DecisionLoop<EnrollmentEvent> loop = new DecisionLoop<>(store, new EnrollmentEventCodec());
        loop.execute(
                new DefineCourse(MATHS, new CourseTitle("Maths"), new Capacity(1), EnrollmentWindow.ALWAYS),
                Origin.correlatedBy("c-1"));
        loop.execute(new ChangeCapacity(MATHS, new Capacity(2)), Origin.correlatedBy("another"));
        loop.execute(new ChangeCapacity(MATHS, new Capacity(2)), Origin.correlatedBy("c-1"));
        loop.execute(
                new ChangeCapacity(MATHS, new Capacity(3)), new Origin("c-1", "cause", Actor.of("local", "clerk")));
        loop.execute(new ChangeCapacity(MATHS, new Capacity(4)));
        runner.catchUp();

        assertThat(ofCorrelation("c-1"))
                .extracting(Command::type, Command::causationId, Command::events, Command::first, Command::last)
                .containsExactly(
                        tuple("DefineCourse", null, 1, Position.of(1), Position.of(1)),
                        tuple("ChangeCapacity", "cause", 1, Position.of(3), Position.of(3)));
        assertThat(ofCorrelation("another")).hasSize(1);
        assertThat(ofCorrelation("unused")).isEmpty();
    }

    /* The view gets two of the command's events in one batch and the third in the next. */
    @Test
    void a_command_with_events_in_two_batches_is_one_command() {
        String id = id(1);
        store.append(List.of(event(metadata("c-1", id)), event(metadata("c-1", id))));
        runner.catchUp();
        store.append(List.of(event(metadata("c-1", id))));
        store.append(List.of(event(metadata("c-2", id))));
        runner.catchUp();

        assertThat(ofCorrelation("c-1")).singleElement().satisfies(command -> {
            assertThat(command.id()).hasToString(id);
            assertThat(command.events()).isEqualTo(3);
            assertThat(command.first()).isEqualTo(Position.of(1));
            assertThat(command.last()).isEqualTo(Position.of(3));
            assertThat(command.recordedAt())
                    .isEqualTo(store.read(Query.all()).toList().getFirst().recordedAt());
        });
        assertThat(ofCorrelation("c-2")).hasSize(1);
    }

    @Test
    void pages_follow_each_other_without_a_gap() {
        List<String> ids = Stream.of(4, 2, 5, 1, 3).map(CommandsViewTest::id).toList();
        ids.forEach(id -> store.append(List.of(event(metadata("c-1", id)))));
        runner.catchUp();

        List<String> listed = new ArrayList<>();
        Optional<UUID> after = Optional.empty();
        int pages = 0;
        do {
            CommandsView.Page page = page("c-1", after.orElse(null), 2);
            page.commands().forEach(command -> listed.add(command.id().toString()));
            after = page.next();
            pages++;
        } while (after.isPresent());

        assertThat(listed).containsExactlyElementsOf(ids.stream().sorted().toList());
        assertThat(pages).isEqualTo(3);
        assertThat(page("c-1", null, 5).next()).isEmpty();
    }

    @Test
    void hostile_metadata_is_ignored_and_does_not_stop_the_view() {
        String id = id(1);
        List<String> hostile = List.of(
                "no JSON but \"commandId\"",
                "{\"commandId\":" + "[".repeat(500_000),
                "{\"correlationId\":\"c-1\",\"commandType\":\"T\",\"commandId\":1}",
                metadata("c-1", "1-1-1-1-1"),
                metadata("c-1", id.toUpperCase(Locale.ROOT)),
                metadata("x".repeat(129), id),
                metadata("x".repeat(400_000), id),
                metadata("c-1\u0000", id),
                "{\"correlationId\":\"c-1\",\"commandType\":\"\\ud800\",\"commandId\":\"%s\"}".formatted(id),
                new EventMetadata("c-1", null, "T".repeat(256), id).json(),
                new EventMetadata(null, null, "T", id).json(),
                new EventMetadata("c-1", null, null, id).json());
        hostile.forEach(metadata -> store.append(List.of(event(metadata))));
        String longest = "🎓".repeat(64);
        store.append(List.of(event(new EventMetadata(longest, "x".repeat(129), "T".repeat(255), id).json())));
        runner.catchUp();

        assertThat(ofCorrelation("c-1")).isEmpty();
        assertThat(ofCorrelation(longest)).singleElement().satisfies(command -> {
            assertThat(command.type()).hasSize(255);
            assertThat(command.causationId()).isNull();
        });
    }

    private List<Command> ofCorrelation(String id) {
        return page(id, null, 100).commands();
    }

    private CommandsView.Page page(String correlation, @Nullable UUID after, int most) {
        return runner.views()
                .read(view, Position.START, tables -> CommandsView.ofCorrelation(tables, correlation, after, most))
                .found();
    }

    private static String metadata(String correlation, String id) {
        return new EventMetadata(correlation, null, "T", id).json();
    }

    private static Event event(String metadata) {
        return Event.of("Happened", "{}").withMetadata(metadata);
    }

    private static String id(int number) {
        return "0190000a-0000-7000-8000-00000000000" + number;
    }
}
