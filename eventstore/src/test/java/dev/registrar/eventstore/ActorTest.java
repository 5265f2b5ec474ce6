package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ActorTest {

    @Test
    void the_stored_form_leaves_out_what_is_unknown() {
        assertThat(Actor.of("local", "local").json()).isEqualTo("{\"issuer\":\"local\",\"subject\":\"local\"}");
        assertThat(new Actor("i", "s", "c", "p").json())
                .isEqualTo("{\"issuer\":\"i\",\"subject\":\"s\",\"client\":\"c\",\"onBehalfOf\":\"p\"}");
    }

    @Test
    void the_stored_form_is_read_by_this_and_by_another_parser() {
        String hostile = "\"\\/\b\t\n\f\r\u0000\u001f\u007f\u2028é🎓";
        Actor actor = new Actor(hostile, hostile, hostile, hostile);

        assertThat(Actor.parse(actor.json())).contains(actor);
        assertThat(JsonMapper.shared().readValue(actor.json(), Actor.class)).isEqualTo(actor);
    }

    @Test
    void the_longest_stored_form_has_the_maximum_size() {
        String escaped = "\u0001";
        Actor longest = new Actor(
                escaped.repeat(Actor.MAX_ISSUER_LENGTH),
                escaped.repeat(Actor.MAX_LENGTH),
                escaped.repeat(Actor.MAX_LENGTH),
                escaped.repeat(Actor.MAX_LENGTH));

        assertThat(longest.json().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(Actor.MAX_BYTES);
    }

    @Test
    void names_that_a_later_version_adds_are_ignored() {
        assertThat(Actor.parse("{\"issuer\": \"i\", \"subject\": \"s\", \"session\": \"x\"}"))
                .contains(Actor.of("i", "s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "[]", "{}", "{\"issuer\":\"i\"}", "{\"issuer\":\"\",\"subject\":\"s\"}"})
    void other_text_is_no_actor(String text) {
        assertThat(Actor.parse(text)).isEmpty();
    }

    @Test
    void an_actor_has_an_issuer_and_a_subject() {
        assertThatThrownBy(() -> Actor.of("", "s")).isInstanceOf(RefusedInputException.class);
        assertThatThrownBy(() -> Actor.of("i", "")).isInstanceOf(RefusedInputException.class);
    }
}
