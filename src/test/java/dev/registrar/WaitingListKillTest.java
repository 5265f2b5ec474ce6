package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fifty seats become free at once while two hundred students wait. Both services that assign seats are killed in turn
 * while they do so. The first fifty students get the seats, in their order.
 */
@Tag("thorough")
class WaitingListKillTest {
    private static final int WAITING = 200;
    private static final int FREED = 50;

    @Test
    void seats_go_to_the_first_students_in_line_although_services_are_killed() throws IOException {
        try (TestDatabase database = TestDatabase.create();
                ServiceInProcess one = ServiceInProcess.start(database);
                ServiceInProcess two = ServiceInProcess.start(database)) {
            await().until(one::isReady);
            await().until(two::isReady);
            Api api = one.api();
            String course = api.course(1);
            api.enroll(api.student(), course).expect(201);
            List<String> line = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                line.add(api.student());
                api.put("/api/courses/%s/waiting-list/%s".formatted(course, line.getLast()))
                        .expect(201);
            }

            api.put("/api/courses/%s/capacity".formatted(course), "{\"capacity\": %s}".formatted(1 + FREED))
                    .expect(200);
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> enrolled(two.api(), course).size() > 5);
            one.kill();
            try (ServiceInProcess three = ServiceInProcess.start(database)) {
                two.kill();
                await().until(three::isReady);
                await().until(() -> enrolled(three.api(), course).size() == 1 + FREED);

                List<String> seated = enrolled(three.api(), course);
                assertThat(seated.subList(1, seated.size())).isEqualTo(line.subList(0, FREED));
                assertThat(three.api()
                                .get("/api/courses/%s?consistency=strong".formatted(course))
                                .json()
                                .path("waiting")
                                .asInt())
                        .isEqualTo(WAITING - FREED);
                three.api().enroll(line.getLast(), course).expectProblem(409, "waiting-list-not-empty");
            }
        }
    }

    private static List<String> enrolled(Api api, String course) {
        List<String> students = new ArrayList<>();
        api.get("/api/courses/%s/students?consistency=strong".formatted(course))
                .expect(200)
                .json()
                .path("enrollments")
                .forEach(enrollment -> students.add(enrollment.path("studentId").asString()));
        return students;
    }
}
