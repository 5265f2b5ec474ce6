package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class TokensInDescriptionTest {
    private ObjectNode description;

    @BeforeEach
    void read() throws IOException {
        try (InputStream resource = new ClassPathResource("openapi.json").getInputStream()) {
            description = (ObjectNode) JsonMapper.shared().readTree(resource);
        }
    }

    @Test
    void every_operation_needs_a_token_and_says_how_it_is_refused() {
        TokensInDescription.add(description, true);

        JsonNode scheme = description.at("/components/securitySchemes/token");
        assertThat(scheme.path("scheme").asString()).isEqualTo("bearer");
        assertThat(description.at("/security/0").has("token")).isTrue();
        assertThat(description.path("paths").has("/dcb/append")).isTrue();
        for (JsonNode operations : description.path("paths")) {
            assertThat(operations).allSatisfy(operation -> {
                assertThat(operation.path("responses").has("401")).isTrue();
                assertThat(operation.path("responses").has("403")).isTrue();
            });
        }
    }

    @Test
    void without_the_store_its_operations_are_left_out() {
        TokensInDescription.add(description, false);

        assertThat(description.path("paths").propertyNames())
                .isNotEmpty()
                .noneMatch(path -> path.startsWith("/dcb"))
                .contains("/api/courses");
    }
}
