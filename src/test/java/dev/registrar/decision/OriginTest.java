package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class OriginTest {

    @Test
    void what_is_unknown_is_left_out_of_the_metadata() {
        assertThat(Origin.UNKNOWN.metadata()).isEqualTo("{}");
        assertThat(Origin.correlatedBy("c-1").metadata()).isEqualTo("{\"correlationId\":\"c-1\"}");
    }

    @Test
    void the_metadata_is_json_whatever_the_ids_hold() {
        assertThat(Origin.correlatedBy("\"\n\u0000").metadata()).isEqualTo("{\"correlationId\":\"\\\"\\n\\u0000\"}");
    }

    @Test
    void the_metadata_has_all_parts_that_are_known() {
        String hostile = "\"\\/\b\t\n\f\r\u0000\u001f\u007f\u2028é🎓";
        Origin origin = new Origin(hostile, "cause", hostile);

        assertThat(JsonMapper.shared().readValue(origin.metadata(), Origin.class))
                .isEqualTo(origin);
        assertThat(JsonMapper.shared().readTree(origin.metadata()).propertyNames())
                .containsExactly("correlationId", "causationId", "actor");
    }
}
