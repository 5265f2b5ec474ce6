package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** The event store's API with the settings that tags lock resources and that data must be JSON. */
@ServiceWithOtherSettingsTest
class DcbSettingsTest {
    private final Api api;
    private final JdbcClient database;
    private final String id = Api.newId("settings");

    DcbSettingsTest(@LocalServerPort int port, @Autowired DataSource connections) {
        this.api = new Api(port);
        this.database = JdbcClient.create(connections);
    }

    private Answer append(String tags, String more) {
        return api.post("/dcb/append", """
                {"events": {"type": "Booked", "data": {}, "tags": [%s]}%s}""".formatted(tags, more));
    }

    private Answer read(String tag) {
        return api.get("/dcb/read?query="
                        + URLEncoder.encode(
                                "{\"items\": [{\"tags\": [\"%s\"]}]}".formatted(tag), StandardCharsets.UTF_8))
                .expect(200);
    }

    @Test
    void tags_that_name_locked_resources_are_not_stored() {
        append("\"%1$s\", \"lock:%1$s\", \"unlock:%1$s\", \"LOCK:%1$s\", \"lock\"".formatted(id), "")
                .expect(200);
        append("\"lock:%1$s\", \"lock:lock:%1$s\"".formatted(id), "").expect(200);

        assertThat(read(id).json().get(0).path("tags").valueStream().map(tag -> tag.asString()))
                .containsExactly(id, "unlock:" + id, "LOCK:" + id, "lock");
        assertThat(read("lock:" + id).json().isEmpty()).isTrue();
        assertThat(read("lock:lock:" + id).json().isEmpty()).isTrue();
    }

    /* The test holds the resource. An append that names it in the field "locks" and one that names it in a tag wait. */
    @Test
    void a_tag_locks_the_resource_that_the_field_names(@Autowired DataSource connections) throws SQLException {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
                Connection holder = connections.getConnection()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockResources(holder, id);
            Future<Answer> byField = clients.submit(() ->
                    append("\"%s\"".formatted(id), ", \"locks\": [\"%s\"], \"lockTimeout\": 30000".formatted(id)));
            Future<Answer> byTag =
                    clients.submit(() -> append("\"lock:%s\"".formatted(id), ", \"lockTimeout\": 30000"));
            await().until(() -> waiting() == 2);

            holder.rollback();

            assertThat(byField.get().status()).isEqualTo(200);
            assertThat(byTag.get().status()).isEqualTo(200);
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /* An advisory lock with one key is a resource's. */
    private long waiting() {
        return database.sql("""
                        select count(*)
                        from pg_locks
                        where locktype = 'advisory'
                        and not granted
                        and database = (select oid from pg_database where datname = current_database())
                        and objsubid = 1""").query(Long.class).single();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\", \"lock:\" | | /events/tags/1",
                "\"lock:a\" | , \"lockTimeout\": 0 | /lockTimeout",
                "\"lock:a\" | , \"lockTimeout\": 3600000 | /lockTimeout",
                "\"a\" | , \"lockTimeout\": 10 | /lockTimeout",
                "\"a\" | , \"locks\": [] | /locks"
            })
    void invalid_locks_are_refused_with_their_place(String tags, @Nullable String more, String pointer) {
        Answer answer = append(tags, more == null ? "" : more).expectProblem(422, "invalid-value");

        answer.expectPointer(pointer.replace("/events/", "/events/0/"));
    }

    @Test
    void the_number_of_resources_in_tags_and_field_is_limited() {
        String many = IntStream.range(0, 60).mapToObj("\"lock:%s\""::formatted).collect(Collectors.joining(","));
        String others = IntStream.range(100, 150).mapToObj("\"%s\""::formatted).collect(Collectors.joining(","));

        append(many, ", \"locks\": [%s]".formatted(others))
                .expectProblem(422, "invalid-value")
                .expectPointer("/locks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"not json\"", "\"\""})
    void data_and_metadata_must_be_json(String text) {
        String event =
                "{\"events\": [{\"type\": \"Noted\", \"data\": {}}, {\"type\": \"Noted\", \"data\": %s, \"metadata\": %s}]}";

        api.post("/dcb/append", event.formatted(text, "{}"))
                .expectProblem(422, "invalid-value")
                .expectPointer("/events/1");
        api.post("/dcb/append", event.formatted("{}", text))
                .expectProblem(422, "invalid-value")
                .expectPointer("/events/1");
    }

    /* The type is that of a domain event, but only the syntax is checked. */
    @ParameterizedTest
    @ValueSource(strings = {"5", "\" {\\\"a\\\":  1e5 } \""})
    void any_json_is_accepted_for_any_type(String json) {
        api.post(
                        "/dcb/append",
                        "{\"events\": {\"type\": \"CourseDefined\", \"tags\": [\"%s\"], \"data\": %s}}"
                                .formatted(id, json))
                .expect(200);

        String text = json.startsWith("\"") ? JsonMapper.shared().readTree(json).asString() : json;
        assertThat(read(id).json().get(0).path("data").asString()).isEqualTo(text);
    }
}
