package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springdoc.webmvc.api.OpenApiWebMvcResource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.mock.web.MockHttpServletRequest;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI description of the service, its health and metrics, and the responses to unhandled errors. */
@ServiceTest
class DescriptionTest {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Api api;

    DescriptionTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    /*
     * The description is a resource of the service, so only the tests need the library that generates it. What it says
     * of each operation is looked at when it changes; the fuzzer finds where it is wrong. The library is called directly:
     * on a slow machine it takes longer than a request may.
     */
    @Test
    void the_committed_description_is_the_generated_one(@Autowired OpenApiWebMvcResource generator) throws IOException {
        String path = "/generated/api-docs";
        JsonNode generated =
                JSON.readTree(generator.openapiJson(new MockHttpServletRequest("GET", path), path, Locale.ENGLISH));
        DescriptionController.setLimits(generated, StoreLimits.DEFAULT);
        String text = JSON.writeValueAsString(generated) + "\n";
        Path written = Path.of("target", "openapi.json");
        Files.createDirectories(written.getParent());
        Files.writeString(written, text);

        assertThat(Files.readString(Path.of("src/main/resources/openapi.json")).equals(text))
                .as("openapi.json differs from the controllers; review and commit: cp %s src/main/resources/", written)
                .isTrue();
    }

    @Test
    void the_description_states_the_configured_limits() {
        JsonNode description = description();
        StoreLimits narrow = new StoreLimits(11, 64, 64, 12, 13, 14, 15, 16, 17, 18, 19);

        DescriptionController.setLimits(description, narrow);

        assertThat(description.findValuesAsString("maxItems")).contains("11", "14", "15", "16", "17", "19");
        assertThat(description.findValuesAsString("maxLength")).contains("12", "13", "18");
        assertThat(description()).isNotEqualTo(description);
    }

    @Test
    void every_operation_has_a_name_of_its_own_and_its_problems() {
        JsonNode description = description();
        List<String> ids = description.path("paths").findValuesAsString("operationId");

        assertThat(description.path("openapi").asString()).startsWith("3.1");
        assertThat(ids).hasSizeGreaterThan(30).doesNotHaveDuplicates().noneMatch(id -> id.contains("_"));
        assertThat(description.path("paths").findValues("responses"))
                .hasSameSizeAs(ids)
                .allSatisfy(responses -> assertThat(responses
                                .at("/422/content/application~1problem+json/schema/$ref")
                                .asString())
                        .endsWith("/Problem"));
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
    void the_description_is_available_as_yaml() {
        Answer yaml = api.get("/v3/api-docs.yaml");

        assertThat(yaml.header("Content-Type")).isEqualTo("application/vnd.oai.openapi");
        assertThat(yaml.json()).isEqualTo(description());
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
