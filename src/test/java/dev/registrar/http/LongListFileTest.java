package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A list as CSV of more rows than a page has. It is in a database that most tests do not share. */
@ServiceWithOtherSettingsTest
class LongListFileTest {
    private static final String TIMES = "Mon 10:00-11:30; Wed 14:00-15:30";

    private final Api api;
    private final int port;
    private final DataSource database;

    LongListFileTest(@LocalServerPort int port, @Autowired DataSource database) {
        this.api = new Api(port);
        this.port = port;
        this.database = database;
    }

    /* The ids are changed, since they are taken. */
    @Test
    void a_list_of_several_pages_can_be_imported_again() {
        String word = Api.newId("bulk");
        StringBuilder lines = new StringBuilder("id,title,capacity,prerequisites,times\n");
        for (int i = 0; i < 1_001; i++) {
            lines.append("%s-%s,=1+%s;%s,30,%s,%s\n".formatted(word, i, i, word, i == 0 ? "" : word + "-0", TIMES));
        }
        String position = imported("text/csv", lines.toString());

        String file = csv("/api/courses?search=" + word, position).expect(200).text();
        String again = imported("text/csv; header=present", file.replace(word + "-", word + "x-"));

        List<String> rows =
                csv("/api/courses?search=" + word, again).text().lines().toList();
        assertThat(file.lines())
                .hasSize(1_002)
                .filteredOn(row -> row.contains(",'=1+") && row.contains("," + TIMES + ","))
                .hasSize(1_001);
        assertThat(rows).hasSize(2_003).doesNotHaveDuplicates();
        assertThat(rows.stream()
                        .filter(row -> row.startsWith(word + "x-"))
                        .map(row -> row.replace(word + "x-", word + "-")))
                .containsExactlyInAnyOrderElementsOf(file.lines().skip(1).toList());
    }

    /*
     * The client has the file's head and does not read on, so the server waits with some of the 16 MB unsent. Then the
     * view is reset, and each further page has no rows. Without the check, such a page ends the file.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/api/courses", "/console/office/courses?download=csv&"})
    void a_list_whose_view_is_reset_meanwhile_is_broken_off(String path) throws Exception {
        String latest = "/api/courses/%s?consistency=strong".formatted(api.course(1));
        api.get(latest).expect(200);
        String word = Api.newId("reset");
        JdbcClient.create(database).sql("""
                        with rows as (select '%1$s-' || row as id from generate_series(1, 4000) as row),
                        titles as (insert into registrar_courses.titles select id, id from rows)
                        insert into registrar_courses.courses (id, title, capacity, prerequisites, position)
                        select id, repeat('long', 1000), 1, array[]::text[], 1
                        from rows""".formatted(word)).update();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpResponse<InputStream> begun = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s%s%ssearch=%s"
                                    .formatted(port, path, path.endsWith("&") ? "" : "?", word)))
                            .header("Accept", "text/csv")
                            .build(),
                    BodyHandlers.ofInputStream());
            assertThat(begun.statusCode()).isEqualTo(200);

            api.post("/api/admin/projections/courses/pause", "").expect(200);
            api.post("/api/admin/projections/courses/reset", "").expect(200);

            try (InputStream body = begun.body()) {
                assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
            }
        } finally {
            api.post("/api/admin/projections/courses/resume", "").expect(200);
            api.get(latest).expect(200);
        }
    }

    private Answer csv(String path, String after) {
        return api.get(path, "Accept", "text/csv", "Registrar-After", after);
    }

    /* Returns the position of the last course. */
    private String imported(String type, String file) {
        Answer begun = api.send("POST", "/api/courses/import", BodyPublishers.ofString(file), "Content-Type", type)
                .expect(202);
        Answer ended = await().until(
                        () -> api.get(begun.header("Location")).expect(200),
                        each -> each.json().path("state").asString().matches("REFUSED|FINISHED|STOPPED"));
        assertThat(ended.json().path("state").asString()).as(ended.text()).isEqualTo("FINISHED");
        return ended.json().path("position").asString();
    }
}
