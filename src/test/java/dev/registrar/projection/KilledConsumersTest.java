package dev.registrar.projection;

import static dev.registrar.projection.Instances.DEFAULTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Two processes that run the views during a random semester are killed in turn, each while it applies events.
 * Afterwards the tables equal those of a rebuild from the first event.
 */
@Tag("thorough")
class KilledConsumersTest {
    private static final int KILLS = 8;
    private static final int EVENTS_BETWEEN_KILLS = 50;
    private static final int LONGEST_DELAY_MILLIS = 200;
    private static final long SEED = 20_261_121;

    private static final String[] TABLES = {
        "registrar_courses.courses",
        "registrar_students.students",
        "registrar_enrollments.enrollments",
        "registrar_waiting_lists.waiting",
        "registrar_tally.tally"
    };

    @TempDir
    private Path folder;

    @Test
    void views_of_killed_processes_equal_those_of_a_rebuild() throws Exception {
        try (Instances instances = new Instances()) {
            AtomicBoolean over = new AtomicBoolean();
            Thread semester = Thread.ofPlatform().start(() -> semester(instances, over));
            killAgainAndAgain(instances);
            over.set(true);
            semester.join();

            ProjectionRunner survivor = instances.start(DEFAULTS, ConsumingProgram.followers());
            Position head = instances.store.head().position();
            for (Follower follower : ConsumingProgram.followers()) {
                assertThat(survivor.views().waitFor(follower.name(), head, AwaitilityTimeouts.MAX_WAIT))
                        .isTrue();
            }
            Map<String, String> lived = hashes(instances);
            assertThat(survivor.views()
                            .read(new Tally("tally"), head, Tally::positions)
                            .found())
                    .isEqualTo(instances.counted());

            for (Follower follower : ConsumingProgram.followers()) {
                survivor.administration().rebuild(follower.name());
            }
            await().until(() -> survivor.administration().statuses().stream()
                    .noneMatch(status -> status.rebuild().isPresent()));

            assertThat(hashes(instances)).isEqualTo(lived);
            assertThat(head.value()).isGreaterThan(KILLS * EVENTS_BETWEEN_KILLS);
        }
    }

    private void killAgainAndAgain(Instances instances) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(SEED);
        TestDatabase database = instances.database.database();
        List<Path> running = IntStream.range(0, KILLS + 2)
                .mapToObj(number -> folder.resolve("running-" + number))
                .toList();
        Process[] consumers = {
            ConsumingProgram.start(database, running.get(0)), ConsumingProgram.start(database, running.get(1))
        };
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                int next = kill % consumers.length;
                Path started = running.get(kill);
                await().until(() -> Files.exists(started));
                long applied = applied(database);
                await().until(() -> applied(database) >= applied + EVENTS_BETWEEN_KILLS);
                // The kill must come at a random moment of the next batches.
                Thread.sleep(random.nextInt(LONGEST_DELAY_MILLIS));
                assertThat(consumers[next].isAlive()).isTrue();
                consumers[next].destroyForcibly().waitFor();
                consumers[next] = ConsumingProgram.start(database, running.get(kill + 2));
            }
        } finally {
            for (Process consumer : consumers) {
                consumer.destroyForcibly().waitFor();
            }
        }
    }

    /* Zero until one of the processes has started. */
    private static long applied(TestDatabase database) {
        return JdbcClient.create(database.dataSource())
                .sql("select coalesce(max(events), 0) from registrar.projections where name = 'tally'")
                .query(Long.class)
                .single();
    }

    private static Map<String, String> hashes(Instances instances) {
        JdbcClient jdbc = JdbcClient.create(instances.database.database().dataSource());
        Map<String, String> hashes = new LinkedHashMap<>();
        for (String table : TABLES) {
            hashes.put(
                    table,
                    jdbc.sql(
                                    "select count(*) || ' ' || coalesce(md5(string_agg(r::text, ',' order by r::text)), '') from "
                                            + table + " r")
                            .query((row, number) -> row.getString(1))
                            .single());
        }
        return hashes;
    }

    private static void semester(Instances instances, AtomicBoolean over) {
        EventStore store = instances.store;
        DecisionLoop<EnrollmentEvent> loop = new DecisionLoop<>(
                store, new EnrollmentEventCodec(), RetryBounds.DEFAULT, 1_000, InstantSource.system());
        SplittableRandom random = new SplittableRandom(SEED);
        int courses = 0;
        int students = 0;
        while (!over.get()) {
            CourseId course = new CourseId("course-" + random.nextInt(1 + courses));
            StudentId student = new StudentId("student-" + random.nextInt(1 + students));
            Decision<EnrollmentEvent, ?> command = switch (random.nextInt(9)) {
                case 0 ->
                    new DefineCourse(
                            new CourseId("course-" + ++courses),
                            new CourseTitle("Course " + courses),
                            new Capacity(1 + random.nextInt(3)),
                            EnrollmentWindow.ALWAYS);
                case 1 ->
                    new RegisterStudent(
                            new StudentId("student-" + ++students),
                            new StudentName("Student"),
                            new EmailAddress("student-%s@example.org".formatted(students)));
                case 2 -> new DropStudent(student, course);
                case 3 -> new JoinWaitingList(student, course);
                case 4 -> new LeaveWaitingList(student, course);
                case 5 -> new ChangeCapacity(course, new Capacity(1 + random.nextInt(5)));
                default -> new EnrollStudent(student, course, 10);
            };
            loop.execute(command, Origin.UNKNOWN);
            Instances.append(store, Instances.event());
            courses = Math.min(courses, 50);
        }
    }
}
