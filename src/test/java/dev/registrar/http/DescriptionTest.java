package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.StoreLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;

/** The OpenAPI description of the service, its health and metrics, and the responses to unhandled errors. */
@ServiceTest
class DescriptionTest {
    /** What clients rely on: the operations with the statuses of their answers, and the codes of problems. */
    private static final String CONTRACT = "dev/registrar/http/description.txt";

    private final Api api;

    DescriptionTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    /* Writes the whole description, too. What else it says is compared with the answers by the fuzzer. */
    @Test
    void the_description_has_what_clients_rely_on() throws IOException {
        JsonNode description = description();
        Path written = Path.of("target", "openapi.json");
        Files.createDirectories(written.getParent());
        Files.writeString(written, description.toPrettyString());
        String expected = new ClassPathResource(CONTRACT).getContentAsString(StandardCharsets.UTF_8);

        assertThat(Stream.concat(operations(description), problems(description)))
                .containsExactlyInAnyOrderElementsOf(expected.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .toList());
    }

    private static Stream<String> operations(JsonNode description) {
        return description.path("paths").properties().stream()
                .flatMap(path -> path.getValue().properties().stream()
                        .map(operation -> "%-21s %-6s %-46s %s"
                                .formatted(
                                        operation.getValue().path("operationId").asString(),
                                        operation.getKey().toUpperCase(Locale.ROOT),
                                        path.getKey(),
                                        String.join(
                                                " ",
                                                operation
                                                        .getValue()
                                                        .path("responses")
                                                        .propertyNames()))));
    }

    private static Stream<String> problems(JsonNode description) {
        return description.at("/components/responses").values().stream()
                .map(response -> response.at("/content/application~1problem+json/examples"))
                .flatMap(codes -> codes.properties().stream())
                .map(code -> "%s %s".formatted(code.getValue().at("/value/status"), code.getKey()));
    }

    @Test
    void the_description_states_the_limits_of_the_store(@Autowired EventStore store) {
        StoreLimits limits = store.limits();
        JsonNode schemas = description().at("/components/schemas");

        assertThat(schemas.at("/DcbAppend/properties/events/oneOf/1/maxItems").asInt())
                .isEqualTo(limits.maxEventsPerAppend());
        assertThat(schemas.at("/DcbNewEvent/properties/tags/maxItems").asInt()).isEqualTo(limits.maxTagsPerEvent());
        assertThat(schemas.at("/DcbQuery/properties/items/maxItems").asInt()).isEqualTo(limits.maxItemsPerQuery());
    }

    @Test
    void the_lists_that_are_also_files_have_both_media_types() {
        JsonNode paths = description().path("paths");

        assertThat(paths.properties().stream()
                        .filter(path ->
                                path.getValue().at("/get/responses/200/content").has("text/csv"))
                        .peek(path -> assertThat(path.getValue()
                                        .at("/get/responses/200/content")
                                        .propertyNames())
                                .containsExactlyInAnyOrder("application/json", "text/csv"))
                        .map(Map.Entry::getKey))
                .containsExactly("/api/courses", "/api/courses/{courseId}/students");
    }

    @Test
    void every_operation_has_its_problems() {
        JsonNode description = description();

        assertThat(description.path("openapi").asString()).startsWith("3.1");
        assertThat(description.path("paths").findValues("responses"))
                .allSatisfy(responses ->
                        assertThat(responses.at("/422/$ref").asString()).endsWith("/invalid"));
        assertThat(description
                        .at("/components/responses/invalid/content/application~1problem+json/schema/$ref")
                        .asString())
                .endsWith("/Problem");
    }

    @Test
    void patterns_are_json_schema_patterns_that_match_the_whole_value() {
        List<String> patterns = description().findValuesAsString("pattern");

        assertThat(patterns)
                .hasSizeGreaterThan(20)
                .allSatisfy(pattern -> assertThat(pattern)
                        .startsWith("^")
                        .endsWith("$")
                        // Syntax of Java only: possessive quantifiers, quotations, named character classes, anchors,
                        // flags.
                        .doesNotContainPattern("[+*?}]\\+|\\\\[QEpPhHAzZGR]|\\\\x\\{|\\(\\?[a-zA-Z>]"));
    }

    @Test
    void an_integer_may_have_any_form_that_json_schema_allows() {
        String course = "{\"id\": \"whole\", \"title\": \"Whole\", \"capacity\": %s}";

        assertThat(api.post("/api/courses", course.formatted("3.5")).status()).isIn(400, 422);
        assertThat(api.post("/api/courses", course.formatted("1e400")).status()).isIn(400, 422);
        assertThat(api.post("/api/courses", course.formatted("30.0")).status()).isEqualTo(201);
        assertThat(api.post("/dcb/read", "{\"options\": {\"limit\": 1e0}}").status())
                .isEqualTo(200);
        assertThat(api.post("/dcb/project", "{\"projectors\": [{\"id\": \"a\", \"query\": {}, \"kind\": 0}]}")
                        .status())
                .isIn(400, 422);
    }

    @Test
    void a_browser_shows_the_api() {
        assertThat(api.get("/swagger-ui.html").status()).isEqualTo(302);
        assertThat(api.get("/swagger-ui/index.html").status()).isEqualTo(200);
        assertThat(api.get("/swagger-ui/swagger-ui-bundle.js").status()).isEqualTo(200);
        assertThat(api.get("/swagger-ui/swagger-initializer.js").expect(200).text())
                .contains("\"../v3/api-docs\"")
                .doesNotContain("petstore");
    }

    @Test
    void the_description_is_available_as_yaml() throws IOException {
        Answer yaml = api.get("/v3/api-docs.yaml");

        assertThat(yaml.header("Content-Type")).isEqualTo("application/vnd.oai.openapi");
        assertThat(new YAMLMapper().readTree(yaml.text()))
                .isEqualTo(new ObjectMapper().readTree(api.get("/v3/api-docs").text()));
    }

    @Test
    void health_info_and_metrics_are_available() {
        for (String path : List.of("health", "health/liveness", "health/readiness", "info", "prometheus")) {
            assertThat(api.get("/actuator/" + path).status()).as(path).isEqualTo(200);
        }
    }

    private JsonNode description() {
        return api.get("/v3/api-docs").json();
    }
}
