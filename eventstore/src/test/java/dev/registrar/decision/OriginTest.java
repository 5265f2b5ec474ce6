package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Actor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class OriginTest {

    @Test
    void unknown_parts_are_left_out_of_the_metadata() {
        assertThat(Origin.UNKNOWN.metadata()).isEqualTo("{}");
        assertThat(Origin.correlatedBy("c-1").metadata()).isEqualTo("{\"correlationId\":\"c-1\"}");
    }

    @Test
    void the_metadata_is_json_for_any_characters_in_the_ids() {
        assertThat(Origin.correlatedBy("\"\n\u0000").metadata()).isEqualTo("{\"correlationId\":\"\\\"\\n\\u0000\"}");
    }

    @Test
    void the_metadata_has_both_ids_and_not_the_actor() {
        String hostile = "\"\\/\b\t\n\f\r\u0000\u001f\u007f\u2028é🎓";
        Origin origin = new Origin(hostile, "cause", Actor.of("issuer", "clerk"));

        assertThat(JsonMapper.shared().readValue(origin.metadata(), Origin.class))
                .isEqualTo(origin.by(null));
        assertThat(JsonMapper.shared().readTree(origin.metadata()).propertyNames())
                .containsExactly("correlationId", "causationId");
    }
}
