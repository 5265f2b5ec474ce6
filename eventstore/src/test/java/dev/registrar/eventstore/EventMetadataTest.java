package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class EventMetadataTest {
    private static final EventMetadata NONE = new EventMetadata(null, null, null, null);

    @Test
    void unknown_parts_are_left_out() {
        assertThat(NONE.json()).isEqualTo("{}");
        assertThat(new EventMetadata("c-1", null, "EnrollStudent", "id-1").json())
                .isEqualTo("{\"correlationId\":\"c-1\",\"commandType\":\"EnrollStudent\",\"commandId\":\"id-1\"}");
    }

    @Test
    void hostile_text_is_read_back_by_this_and_by_another_parser() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            EventMetadata written = new EventMetadata(
                    text(random), text(random), text(random), random.nextBoolean() ? null : text(random));

            assertThat(EventMetadata.parse(written.json())).as("seed %s", seed).contains(written);
            assertThat(JsonMapper.shared().readValue(written.json(), EventMetadata.class))
                    .as("seed %s", seed)
                    .isEqualTo(written);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " {\n\t\"commandType\" :\r\"\\u0041nn\" , \"else\":\"\"} ",
                "{\"commandType\":\"Bob\",\"commandType\":\"Ann\"}",
                "{\"\\u0063ommandType\":\"A\\u006en\"}"
            })
    void metadata_of_other_writers_is_read_if_it_is_flat(String json) {
        assertThat(EventMetadata.parse(json)).contains(new EventMetadata(null, null, "Ann", null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "{",
                "{\"commandType\"",
                "{\"commandType\":",
                "{\"commandType\":\"Ann",
                "{\"commandType\":\"Ann\"",
                "{\"commandType\":\"Ann\",}",
                "{\"commandType\":\"Ann\"}}",
                "{\"commandType\":\"Ann\"} x",
                "{\"commandType\":null}",
                "{\"commandType\":1}",
                "{\"commandType\":{}}",
                "{\"commandType\":\"A\\\"}",
                "{\"commandType\":\"\\",
                "{\"commandType\":\"\\x\"}",
                "{\"commandType\":\"\\u00\"}",
                "{\"commandType\":\"\\u00g0\"}",
                "{\"commandType\":\"\\u٠٠٤١\"}",
                "{\"commandType\":\"\n\"}",
                "{commandType:\"Ann\"}",
                "{,}"
            })
    void other_metadata_is_treated_as_opaque(String json) {
        assertThat(EventMetadata.parse(json)).isEmpty();
    }

    @Test
    void a_megabyte_of_brackets_is_treated_as_opaque() {
        assertThat(EventMetadata.parse("[".repeat(1 << 20))).isEmpty();
        assertThat(EventMetadata.parse("{\"commandType\":" + "{\"a\":".repeat(1 << 18)))
                .isEmpty();
    }

    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        String characters = "\"\\/\b\t\n\f\r\u0000\u001f\u007f\u2028é{}:,a u";
        for (int length = random.nextInt(12); length > 0; length--) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
        return text.append("🎓").toString();
    }
}
