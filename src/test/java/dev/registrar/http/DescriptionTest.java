package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.StoreLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
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

    @ParameterizedTest
    @CsvSource({
        "/api/courses, post, 201, Course",
        "/api/courses/{courseId}, get, 200, Course",
        "/api/courses/{courseId}/capacity, put, 200, Course",
        "/api/courses/{courseId}/close, post, 200, Course",
        "/api/courses/{courseId}/students, get, 200, Enrollments",
        "/api/courses/{courseId}/students/{studentId}, get, 200, Enrollment",
        "/api/courses/{courseId}/students/{studentId}, put, 201, Enrolled",
        "/api/courses/{courseId}/students/{studentId}, delete, 204, Dropped",
        "/api/courses/{courseId}/waiting-list/{studentId}, put, 201, Waiting",
        "/api/courses/{courseId}/waiting-list/{studentId}, delete, 204, Removed",
        "/api/commands, post, 200, CarriedOut",
        "/api/commands, get, 200, RecordedCommands",
        "/api/students, post, 201, Student",
        "/api/students/{studentId}, get, 200, Student",
        "/api/students/{studentId}/courses, get, 200, Enrollments",
        "/dcb/append, post, 200, DcbAppended",
        "/dcb/read, get, 200, DcbEvent",
        "/dcb/project, post, 200, DcbProjected",
        "/dcb/events/{position}, get, 200, DcbEvent",
        "/dcb/events, get, 200, DcbEvent",
        "/api/courses/{courseId}/events, get, 200, DcbEvent"
    })
    void every_operation_describes_its_response_and_its_problems(
            String path, String method, String status, String answer) {
        JsonNode operation = description().path("paths").path(path).path(method);
        JsonNode responses = operation.path("responses");

        assertThat(responses.path(status).isMissingNode()).as("%s", operation).isFalse();
        assertThat(responses.path(status).toString())
                .containsAnyOf("#/components/schemas/" + answer + "\"", "\"description\":\"" + answer + "\"");
        assertThat(responses
                        .path("422")
                        .path("content")
                        .path("application/problem+json")
                        .toString())
                .contains("#/components/schemas/Problem");
        assertThat(operation.path("parameters").toString()).contains("X-Correlation-Id");
    }

    @Test
    void the_address_of_the_service_is_relative_to_its_description() {
        String server = description().at("/servers/0/url").asString();

        assertThat(URI.create("https://registrar.example/office/v3/api-docs").resolve(server))
                .isEqualTo(URI.create("https://registrar.example/office/"));
    }

    @Test
    void imports_describe_only_their_own_responses() {
        JsonNode paths = description().path("paths");
        JsonNode begin = paths.path("/api/courses/import").path("post");
        JsonNode find = paths.path("/api/imports/{importId}").path("get");

        assertThat(begin.path("responses").propertyNames())
                .containsExactly("202", "400", "406", "408", "413", "415", "422", "429", "503");
        assertThat(begin.path("responses").path("202").path("headers").propertyNames())
                .containsExactly("Location");
        assertThat(begin.path("responses").toString()).doesNotContain("not JSON\"", "Registrar-Position");
        assertThat(begin.path("parameters").toString()).contains("X-Correlation-Id", "Idempotency-Key");
        assertThat(find.path("responses").propertyNames())
                .containsExactly("200", "400", "404", "406", "422", "429", "503");
        assertThat(find.toString()).doesNotContain("ETag", "304", "If-None-Match");
    }

    @Test
    void a_stream_promises_no_position() {
        JsonNode paths = description().path("paths");
        JsonNode ofCourse = paths.path("/api/courses/{courseId}/events").path("get");
        JsonNode events = paths.path("/dcb/events").path("get");

        assertThat(ofCourse.path("responses").propertyNames())
                .containsExactly("200", "400", "404", "406", "409", "422", "429", "503");
        assertThat(events.path("responses").propertyNames())
                .containsExactly("200", "400", "406", "409", "422", "429", "503");
        assertThat(ofCourse.path("responses").path("200").path("content").propertyNames())
                .containsExactlyInAnyOrder("text/event-stream", "application/x-ndjson");
        assertThat(ofCourse.toString()).contains("Last-Event-ID").doesNotContain("ETag", "304", "If-None-Match");
    }

    @Test
    void operations_on_a_history_describe_the_basis_and_its_refusal() {
        JsonNode paths = description().path("paths");
        JsonNode read = paths.path("/dcb/read");

        for (JsonNode operation : List.of(
                read.path("get"), read.path("post"), paths.path("/dcb/events").path("get"))) {
            assertThat(operation.path("responses").path("200").path("headers").has("Registrar-Basis"))
                    .isTrue();
            assertThat(operation.path("responses").has("409")).isTrue();
        }
        assertThat(paths.path("/dcb/append").path("post").path("responses").has("409"))
                .isTrue();
        JsonNode schemas = description().path("components").path("schemas");
        for (String schema : List.of("DcbAppendCondition", "DcbProject", "DcbReadOptions")) {
            assertThat(schemas.path(schema)
                            .path("properties")
                            .path("basis")
                            .path("pattern")
                            .asString())
                    .startsWith("^(0\\.");
        }
    }

    /* The description is a resource of the service, so only the tests need the library that generates it. */
    @Test
    void the_committed_description_is_the_generated_one() throws IOException {
        JsonNode generated = api.get("/generated/api-docs").expect(200).json();
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
    void the_description_is_openapi_3_1_with_examples() {
        JsonNode description = description();

        assertThat(description.path("openapi").asString()).startsWith("3.1");
        assertThat(description.path("info").path("title").asString()).isEqualTo("Registrar");
        JsonNode schemas = description.path("components").path("schemas");
        assertThat(schemas.path("NewCourse").toString()).contains("Mathematics 101");
        assertThat(schemas.path("NewStudent").toString()).contains("ann@example.org");
        assertThat(schemas.path("Problem").toString()).contains("course-full");
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
    void request_objects_are_closed_and_optional_fields_nullable() {
        JsonNode schemas = description().path("components").path("schemas");

        assertThat(List.of(
                        "NewCourse",
                        "CourseCapacity",
                        "NewStudent",
                        "CourseData",
                        "DefineCourseCommand",
                        "DcbAppend",
                        "DcbNewEvent",
                        "DcbAppendCondition",
                        "DcbQuery",
                        "DcbQueryItem",
                        "DcbRead",
                        "DcbReadOptions",
                        "DcbProject",
                        "DcbProjector"))
                .allSatisfy(name -> assertThat(
                                schemas.path(name).path("additionalProperties").asBoolean(true))
                        .as(name)
                        .isFalse());
        assertThat(schemas.path("Course").has("additionalProperties")).isFalse();
        JsonNode course = schemas.path("NewCourse").path("properties");
        assertThat(course.path("id").path("type").toString()).contains("null");
        assertThat(course.path("title").path("type").toString()).doesNotContain("null");
        assertThat(schemas.path("DcbAppend")
                        .path("properties")
                        .path("condition")
                        .toString())
                .contains("null", "DcbAppendCondition");
    }

    @Test
    void the_schema_of_a_command_is_one_of_its_types_with_that_types_data() {
        JsonNode schemas = description().path("components").path("schemas");
        JsonNode command = schemas.path("Command");

        assertThat(description().at("/paths/~1api~1commands/post/requestBody").toString())
                .contains("#/components/schemas/Command\"");
        assertThat(command.path("oneOf")).hasSameSizeAs(command.at("/discriminator/mapping"));
        assertThat(command.at("/discriminator/mapping/DefineCourse").asString())
                .isEqualTo(command.at("/oneOf/0/$ref").asString())
                .endsWith("/DefineCourseCommand");
        JsonNode define = schemas.path("DefineCourseCommand").path("properties");
        assertThat(define.at("/type/const").asString()).isEqualTo("DefineCourse");
        assertThat(define.at("/data/$ref").asString()).endsWith("/NewCourse");
    }

    @Test
    void an_append_has_one_event_or_a_list_within_the_limits() {
        JsonNode schemas = description().path("components").path("schemas");
        JsonNode events = schemas.path("DcbAppend").path("properties").path("events");

        assertThat(events.path("oneOf").path(0).path("$ref").asString()).endsWith("/DcbNewEvent");
        assertThat(events.path("oneOf").path(1).path("minItems").asInt()).isEqualTo(1);
        assertThat(events.path("oneOf").path(1).path("maxItems").asInt()).isEqualTo(1_000);
        JsonNode event = schemas.path("DcbNewEvent");
        assertThat(event.path("required").toString()).contains("type", "data");
        assertThat(event.path("properties").path("type").path("maxLength").asInt())
                .isEqualTo(255);
    }

    @Test
    void an_empty_id_is_invalid() {
        Answer refused = api.post("/dcb/append", "{\"events\": {\"type\": \"Some\", \"id\": \"\", \"data\": 1}}");

        assertThat(refused.status()).isIn(400, 422);
    }

    @Test
    void a_response_without_a_body_has_no_content() {
        JsonNode paths = description().path("paths");
        String place = "/api/courses/{courseId}/students/{studentId}";

        assertThat(paths.path(place).path("put").path("responses").path("201").has("content"))
                .isFalse();
        assertThat(paths.path(place)
                        .path("delete")
                        .path("responses")
                        .path("204")
                        .has("content"))
                .isFalse();
        assertThat(paths.path(place).path("get").path("responses").path("304").has("description"))
                .isTrue();
        assertThat(paths.path(place).path("get").path("responses").path("304").has("content"))
                .isFalse();
    }

    @Test
    void a_key_has_a_pattern_and_administration_takes_no_key() {
        JsonNode paths = description().path("paths");

        assertThat(paths.path("/api/courses").path("post").path("parameters").toString())
                .contains("Idempotency-Key", "^(?:[!-~]{1,255})$");
        assertThat(paths.path("/api/admin/projections/{name}/pause")
                        .path("post")
                        .toString())
                .doesNotContain("Idempotency-Key", "Registrar-Position", "504");
    }

    @Test
    void operations_are_ordered_and_named_for_readers() {
        JsonNode description = description();
        List<String> ids = description.path("paths").findValuesAsString("operationId");

        assertThat(description.path("paths").propertyNames())
                .startsWith("/api/courses", "/api/courses/{courseId}", "/api/courses/{courseId}/capacity")
                .containsSubsequence("/api/students", "/api/seats", "/dcb/append", "/api/admin/projections");
        assertThat(ids)
                .contains("defineCourse", "append")
                .doesNotHaveDuplicates()
                .noneMatch(id -> id.contains("_"));
        assertThat(description.path("tags").findValuesAsString("name"))
                .startsWith("Courses", "Students")
                .endsWith("Projections");
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/actuator/health",
                "/actuator/health/liveness",
                "/actuator/health/readiness",
                "/actuator/info",
                "/actuator/prometheus"
            })
    void health_info_and_metrics_are_available(String path) {
        assertThat(api.get(path).status()).isEqualTo(200);
    }

    private JsonNode description() {
        return api.get("/v3/api-docs").json();
    }
}
