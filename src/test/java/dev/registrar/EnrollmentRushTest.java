package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.registrar.testdatabase.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The first day of enrollment: 300 students request the 100 seats of one course at the same moment. Each gets an
 * answer, and the course ends with exactly 100 students.
 */
@Tag("thorough")
class EnrollmentRushTest {
    private static final int STUDENTS = 300;
    private static final int SEATS = 100;

    private static TestDatabase database;
    private static ConfigurableApplicationContext one;
    private static ConfigurableApplicationContext other;

    @BeforeAll
    static void start() {
        database = TestDatabase.create();
        one = service();
        other = service();
    }

    @AfterAll
    static void stop() {
        other.close();
        one.close();
        database.close();
    }

    @Test
    void a_course_with_100_seats_accepts_100_of_300_students() {
        rush(List.of(api(one)));
    }

    /* The two services share only the database, like two processes. */
    @Test
    void two_services_on_one_database_accept_100_of_300_students() {
        rush(List.of(api(one), api(other)));
    }

    /* The reader has written nothing, so its requests name no position that a view must have reached. */
    @Test
    void a_strong_look_up_at_one_service_shows_what_the_other_has_answered() {
        Api writer = api(one);
        Api reader = api(other);
        String course = writer.course(50);
        for (int enrolled = 1; enrolled <= 50; enrolled++) {
            writer.enroll(writer.student(), course).expect(201);

            assertThat(reader.get("/api/courses/%s?consistency=strong".formatted(course))
                            .expect(200)
                            .json()
                            .path("enrolled")
                            .asInt())
                    .isEqualTo(enrolled);
        }
    }

    private static void rush(List<Api> doors) {
        Api door = doors.getFirst();
        String course = door.course(SEATS);
        List<String> students = Stream.generate(door::student).limit(STUDENTS).toList();

        List<CompletableFuture<Answer>> underWay = IntStream.range(0, STUDENTS)
                .mapToObj(at -> doors.get(at % doors.size())
                        .sending("PUT", "/api/courses/%s/students/%s".formatted(course, students.get(at)), ""))
                .toList();
        Map<String, Long> answers = underWay.stream()
                .map(CompletableFuture::join)
                .map(EnrollmentRushTest::verdict)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

        assertThat(answers)
                .containsOnly(entry("201", (long) SEATS), entry("409 course-full", (long) (STUDENTS - SEATS)));
        for (Api each : doors) {
            Answer found = each.get("/api/courses/" + course).expect(200);
            assertThat(found.json().path("enrolled").asInt()).isEqualTo(SEATS);
            assertThat(found.json().path("full").asBoolean()).isTrue();
            assertThat(each.get("/api/courses/%s/students".formatted(course))
                            .json()
                            .path("enrollments")
                            .size())
                    .isEqualTo(SEATS);
        }
    }

    private static String verdict(Answer answer) {
        return answer.status() == 201
                ? "201"
                : "%s %s".formatted(answer.status(), answer.json().path("code").asString());
    }

    private static ConfigurableApplicationContext service() {
        return new SpringApplicationBuilder(RegistrarApplication.class)
                .run(
                        "--server.port=0",
                        // The test checks that each request is answered, not the speed of a service that has just
                        // started.
                        "--registrar.enrollment.decision-deadline=1m",
                        "--registrar.http.admission.deadline=1m",
                        "--spring.datasource.url=" + database.url(),
                        "--spring.datasource.username=" + database.username(),
                        "--spring.datasource.password=" + database.password());
    }

    private static Api api(ConfigurableApplicationContext service) {
        return new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }
}
