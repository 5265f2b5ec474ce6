package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.testdatabase.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Students who wait for the seats of a full course, of which some become free at once. */
final class WaitingLine {
    private final Services services;
    private final String course;
    private final List<String> line = new ArrayList<>();
    private final int freed;

    /**
     * Lets students wait.
     *
     * @param freed the number of those who get a seat
     */
    WaitingLine(Services services, int waiting, int freed) {
        this.services = services;
        this.freed = freed;
        Api api = services.api();
        course = api.course(1);
        api.enroll(api.student(), course).expect(201);
        for (int i = 0; i < waiting; i++) {
            line.add(api.student());
            api.put("/api/courses/%s/waiting-list/%s".formatted(course, line.getLast()))
                    .expect(201);
        }
    }

    /** Frees the seats, if the service answers. */
    Answer free(Api api) {
        return api.put("/api/courses/%s/capacity".formatted(course), "{\"capacity\": %s}".formatted(1 + freed));
    }

    /**
     * Waits until seats are being given, by the log: a look-up would wait for the view, and meanwhile all are given.
     */
    void awaitSeat(TestDatabase database) {
        JdbcClient log = JdbcClient.create(database.dataSource());
        long given = await().until(
                        () -> log.sql("""
                                        select count(*) - 1
                                        from registrar.event_tags
                                        where type = 'StudentEnrolledInCourse' and tag = ?""")
                                .param("course:" + course)
                                .query(Long.class)
                                .single(),
                        each -> each > 0);
        Scene.say("  %s of %s seats are given".formatted(given, freed));
    }

    /** Waits until the seats are given, and checks that the first students in line have them, in their order. */
    void judge() {
        await().untilAsserted(() -> assertThat(enrolled()).hasSize(1 + freed));
        assertThat(enrolled().subList(1, 1 + freed)).isEqualTo(line.subList(0, freed));
        assertThat(get("/api/courses/" + course).path("waiting").asInt()).isEqualTo(line.size() - freed);
    }

    private List<String> enrolled() {
        return StreamSupport.stream(
                        get("/api/courses/%s/students".formatted(course))
                                .path("enrollments")
                                .spliterator(),
                        false)
                .map(enrollment -> enrollment.path("studentId").asString())
                .toList();
    }

    private JsonNode get(String path) {
        return services.api().get(path + "?consistency=strong").expect(200).json();
    }
}
