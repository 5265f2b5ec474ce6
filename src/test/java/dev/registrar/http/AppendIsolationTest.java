package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The isolation level that a client of the event store's API requests. */
@ServiceTest
class AppendIsolationTest {
    private static final String HEADER = "X-Append-If-Isolation";

    private final Api api;
    private final String tag = "test:" + Api.newId("isolation");

    AppendIsolationTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    private Answer append(String level) {
        return api.post("/dcb/append", """
                {"events": {"type": "Claimed", "data": "{}", "tags": ["%1$s"]},
                 "condition": {"failIfEventsMatch": {"items": [{"tags": ["%1$s"]}]}}}""".formatted(tag), HEADER, level);
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE", "Repeatable Read"})
    void a_known_level_is_accepted_and_does_not_change_the_condition(String level) {
        assertThat(isConflict(append(level))).isFalse();
        assertThat(isConflict(append(level))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ_UNCOMMITTED", "", "SERIALIZABLE,READ_COMMITTED"})
    void another_value_is_refused_and_nothing_is_appended(String level) {
        Answer answer = append(level).expect(422);

        assertThat(answer.json().path("code").asString()).isEqualTo("invalid-value");
        assertThat(answer.json().path("errors").get(0).path("pointer").asString())
                .isEqualTo("/" + HEADER);
        assertThat(answer.text())
                .contains("READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE, but was '%s'".formatted(level));
        assertThat(isConflict(append("SERIALIZABLE"))).isFalse();
    }

    /*
     * At the requested isolation levels themselves, several clients would get a serialization failure, or several would
     * win.
     */
    @Test
    void one_of_racing_clients_with_different_levels_wins_and_none_fails() {
        String[] levels = {"READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE"};
        Stream<CompletableFuture<Answer>> clients = IntStream.range(0, 24)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> append(levels[i % levels.length])))
                .toList()
                .stream();

        assertThat(clients.map(CompletableFuture::join).filter(answer -> !isConflict(answer)))
                .hasSize(1);
    }

    private static boolean isConflict(Answer answer) {
        return answer.expect(200).json().path("appendConditionFailed").asBoolean();
    }
}
