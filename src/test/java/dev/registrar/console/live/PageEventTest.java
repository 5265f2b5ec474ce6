package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PageEventTest {
    @Test
    void each_line_of_the_data_is_a_line_of_the_event() {
        assertThat(PageEvent.of("seats-MATH.1~x", "<p>\r\n1\r2</p>\n"))
                .hasToString("event: seats-MATH.1~x\ndata: <p>\ndata: 1\ndata: 2</p>\ndata: \n\n");
    }

    @Test
    void an_id_precedes_the_event() {
        assertThat(PageEvent.of("missed", "").withId("12")).hasToString("id: 12\nevent: missed\ndata: \n\n");
    }

    @Test
    void a_name_or_an_id_of_several_lines_is_refused() {
        assertThatThrownBy(() -> PageEvent.of("a\ndata: b", "")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PageEvent.of("a", "").withId("1\r2")).isInstanceOf(IllegalArgumentException.class);
    }
}
