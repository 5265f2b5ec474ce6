package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A response of the service. */
public record Answer(int status, HttpHeaders headers, String text) {
    private static final JsonMapper JSON = JsonMapper.shared();

    static Answer of(HttpResponse<String> response) {
        return new Answer(response.statusCode(), response.headers(), response.body());
    }

    /** The value of a header; empty if there is none. */
    public String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    /** The position of the write's last event. */
    public long position() {
        return Long.parseLong(header("Registrar-Position"));
    }

    public JsonNode json() {
        return JSON.readTree(text);
    }

    /** Asserts the status alone. */
    public Answer expect(int expected) {
        assertThat(status).as(text).isEqualTo(expected);
        return this;
    }

    /** Asserts that the body is this JSON, written with single quotes. */
    public Answer expectJson(String json) {
        assertThat(header("Content-Type")).isEqualTo("application/json");
        assertThat(json()).isEqualTo(JSON.readTree(json.replace('\'', '"')));
        return this;
    }

    /** Asserts a problem (RFC 9457) with this status and code that reveals no internals of the service. */
    public Answer expectProblem(int expected, String code) {
        expect(expected);
        assertThat(header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(json().path("status").asInt()).isEqualTo(expected);
        assertThat(json().path("code").asString()).isEqualTo(code);
        assertThat(json().path("type").asString()).isEqualTo("urn:registrar:problem:" + code);
        assertThat(json().path("title").asString()).isNotBlank();
        assertThat(json().path("detail").asString()).as(text).isNotBlank();
        assertThat(json().has("trace")).isFalse();
        assertThat(text)
                .doesNotContain("Exception")
                .doesNotContain("dev.registrar")
                .doesNotContain("springframework")
                .doesNotContain("tools.jackson")
                .doesNotContainIgnoringCase("select ")
                .doesNotContain("jdbc:");
        return this;
    }

    /** Asserts the JSON pointer of the first invalid field. */
    public Answer expectPointer(String pointer) {
        assertThat(json().at("/errors/0/pointer").asString()).as(text).isEqualTo(pointer);
        assertThat(json().at("/errors/0/detail").asString()).isNotBlank();
        return this;
    }
}
