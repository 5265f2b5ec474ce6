package dev.registrar.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The entity tag of a page depends on its contents. */
class PagesTest {
    @Test
    void the_same_page_has_the_same_entity_tag_unless_another_follows() {
        assertThat(entityTag("[1]", Optional.of("n"))).isEqualTo(entityTag("[1]", Optional.of("n")));
        assertThat(entityTag("[1]", Optional.of("n"))).isNotEqualTo(entityTag("[1]", Optional.empty()));
        assertThat(entityTag("[1]", Optional.of("n"))).isNotEqualTo(entityTag("[2]", Optional.of("n")));
    }

    private static String entityTag(String page, Optional<String> next) {
        return Pages.entityTag(page.getBytes(UTF_8), next);
    }
}
