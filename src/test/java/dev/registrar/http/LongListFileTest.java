package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A list as CSV of more rows than a page has. It is in a database that most tests do not share. */
@ServiceWithOtherSettingsTest
class LongListFileTest {
    private static final String TIMES = "Mon 10:00-11:30; Wed 14:00-15:30";

    private final Api api;

    LongListFileTest(@LocalServerPort int port) {
        this.api = new Api(port);
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
