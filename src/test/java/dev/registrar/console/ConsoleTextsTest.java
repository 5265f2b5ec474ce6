package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConsoleTextsTest {
    private final ConsoleTexts texts = new ConsoleTexts();

    @Test
    void a_long_text_is_shown_as_its_beginning_and_its_end() {
        assertThat(texts.shortened("email:" + "0123456789abcdef".repeat(4)))
                .isEqualTo("email:0123456789abcdef01…89abcdef");
        assertThat(texts.shortened("student:01900000-0000-7000-8000-00000000abcd"))
                .isEqualTo("student:01900000-0000-7000-8000-00000000abcd");
        assertThat(texts.shortened("\uD83D\uDE80".repeat(50)))
                .isEqualTo("\uD83D\uDE80".repeat(24) + "…" + "\uD83D\uDE80".repeat(8));
    }

    @Test
    void a_line_breaks_between_the_words_of_a_name() {
        assertThat(texts.parts("StudentEnrolledInCourse")).containsExactly("Student", "Enrolled", "In", "Course");
        assertThat(texts.parts("dev.registrar.HTTPCall2Made"))
                .containsExactly("dev.", "registrar.", "HTTPCall2", "Made");
        assertThat(texts.parts("")).containsExactly("");
    }
}
