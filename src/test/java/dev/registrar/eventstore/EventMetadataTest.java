package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class EventMetadataTest {
    private static final EventMetadata NONE = new EventMetadata(null, null, null, null, null);

    @Test
    void unknown_parts_are_left_out() {
        assertThat(NONE.json()).isEqualTo("{}");
        assertThat(new EventMetadata("c-1", null, null, "EnrollStudent", "id-1").json())
                .isEqualTo("{\"correlationId\":\"c-1\",\"commandType\":\"EnrollStudent\",\"commandId\":\"id-1\"}");
    }

    @Test
    void hostile_text_is_read_back_by_this_and_by_another_parser() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            EventMetadata written = new EventMetadata(
                    text(random), text(random), text(random), text(random), random.nextBoolean() ? null : text(random));

            assertThat(EventMetadata.parse(written.json())).as("seed %d", seed).contains(written);
            assertThat(JsonMapper.shared().readValue(written.json(), EventMetadata.class))
                    .as("seed %d", seed)
                    .isEqualTo(written);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " {\n\t\"actor\" :\r\"\\u0041nn\" , \"else\":\"\"} ",
                "{\"actor\":\"Bob\",\"actor\":\"Ann\"}",
                "{\"\\u0061ctor\":\"A\\u006en\"}"
            })
    void metadata_of_other_writers_are_read_if_they_are_flat(String json) {
        assertThat(EventMetadata.parse(json)).contains(new EventMetadata(null, null, "Ann", null, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no JSON",
                "[]",
                "{",
                "{\"actor\"",
                "{\"actor\":",
                "{\"actor\":\"Ann",
                "{\"actor\":\"Ann\"",
                "{\"actor\":\"Ann\",}",
                "{\"actor\":\"Ann\"}}",
                "{\"actor\":\"Ann\"} x",
                "{\"actor\":null}",
                "{\"actor\":1}",
                "{\"actor\":{}}",
                "{\"actor\":\"A\\\"}",
                "{\"actor\":\"\\",
                "{\"actor\":\"\\x\"}",
                "{\"actor\":\"\\u00\"}",
                "{\"actor\":\"\\u00g0\"}",
                "{\"actor\":\"\\u٠٠٤١\"}",
                "{\"actor\":\"\n\"}",
                "{actor:\"Ann\"}",
                "{,}"
            })
    void everything_else_is_of_another_client(String json) {
        assertThat(EventMetadata.parse(json)).isEmpty();
    }

    @Test
    void a_megabyte_of_brackets_is_of_another_client() {
        assertThat(EventMetadata.parse("[".repeat(1 << 20))).isEmpty();
        assertThat(EventMetadata.parse("{\"actor\":" + "{\"a\":".repeat(1 << 18)))
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
