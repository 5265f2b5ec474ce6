package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of the domain's values. */
class ValuesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c",
                "0",
                "maths-1",
                "A.b_c~d-e",
                "1234567890123456789012345678901234567890123456789012345678901234"
            })
    void an_id_has_1_to_64_url_safe_characters(String value) {
        assertThat(new CourseId(value).tag().value()).isEqualTo("course:" + value);
        assertThat(new StudentId(value).tag().value()).isEqualTo("student:" + value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a/b",
                "a:b",
                "a%20b",
                "a?b",
                "ä",
                "a\n",
                ".",
                "..",
                "-a",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void an_id_with_other_characters_or_too_many_is_refused(String value) {
        assertRefused(CourseId::new, value, value);
        assertRefused(StudentId::new, value, value);
        assertThatThrownBy(() -> new CourseId(value)).hasMessageContaining("A-Z a-z 0-9 . _ ~ -");
    }

    @Test
    void a_capacity_is_1_to_100_000_seats() {
        assertThat(new Capacity(1).seats()).isEqualTo(1);
        assertThat(new Capacity(100_000).seats()).isEqualTo(100_000);
        assertRefused(Capacity::new, 0, "0");
        assertRefused(Capacity::new, -1, "-1");
        assertRefused(Capacity::new, 100_001, "100001");
    }

    @Test
    void a_title_and_a_name_have_1_to_200_characters() {
        String longest = "x".repeat(200);

        assertThat(new CourseTitle("x").value()).isEqualTo("x");
        assertThat(new CourseTitle(longest).value()).isEqualTo(longest);
        assertThat(new StudentName("x").value()).isEqualTo("x");
        assertThat(new StudentName(longest).value()).isEqualTo(longest);
        for (String wrong : new String[] {"", "  ", longest + "x"}) {
            assertRefused(CourseTitle::new, wrong, wrong.substring(0, Math.min(40, wrong.length())));
            assertRefusedWithoutTelling(StudentName::new, wrong);
        }
        assertRefused(CourseTitle::new, "x".repeat(5_000), "has 5000: '" + "x".repeat(40) + "…'");
    }

    @Test
    void a_reason_for_an_override_has_1_to_500_characters() {
        String longest = "\uD83D\uDC69".repeat(500);

        assertThat(new OverrideReason(longest).value()).isEqualTo(longest);
        for (String wrong : new String[] {"", "  ", "\u200B", "a\nb", "a\u0000b", "a\uD83D", longest + "x"}) {
            assertRefusedWithoutTelling(OverrideReason::new, wrong);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a@b.c", "ann.lee+maths@mail.example.org", "ä@ö.example"})
    void an_address_has_a_part_before_the_at_and_a_host_with_a_dot(String value) {
        assertThat(new EmailAddress(value).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "a@", "@b.c", "a@b", "a@b.", "a@.c", "a@b..c", "a b@c.d", "a@b@c.d", "a@b.c\n"})
    void an_address_needs_a_local_part_and_a_host_with_a_dot(String value) {
        assertRefusedWithoutTelling(EmailAddress::new, value);
    }

    @Test
    void an_address_has_at_most_254_characters() {
        String longest = "x".repeat(250) + "@b.c";

        assertThat(new EmailAddress(longest).value()).hasSize(254);
        assertRefusedWithoutTelling(EmailAddress::new, "x" + longest);
    }

    @Test
    void a_very_long_text_is_refused_as_an_address() {
        assertRefusedWithoutTelling(EmailAddress::new, "a@a" + ".a".repeat(30_000));
    }

    @Test
    void an_address_has_one_tag_in_upper_and_lower_case() {
        EmailAddress lower = new EmailAddress("ann@example.org");

        assertThat(new EmailAddress("ANN@Example.ORG").tags()).isEqualTo(lower.tags());
        assertThat(new EmailAddress("ann@example.com").tags()).doesNotContainAnyElementsOf(lower.tags());
        assertThat(lower.tags())
                .singleElement()
                .satisfies(tag -> assertThat(tag.value()).matches("email:[0-9a-f]{64}"));
    }

    @Test
    void a_window_closes_after_it_opens() {
        Instant opens = Instant.parse("2030-03-01T08:00:00Z");

        assertThat(new EnrollmentWindow(opens, opens.plusNanos(1_000)).isOpenAt(opens))
                .isTrue();
        assertThatThrownBy(() -> new EnrollmentWindow(opens, opens.plusNanos(999)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EnrollmentWindow(opens, opens))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(opens.toString());
        assertThatThrownBy(() -> new EnrollmentWindow(opens, opens.minusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_window_lies_in_the_years_1_to_9999_and_is_cut_to_microseconds() {
        Instant first = Instant.parse("0001-01-01T00:00:00Z");
        Instant last = Instant.parse("9999-12-31T23:59:59.999999999Z");

        EnrollmentWindow longest = new EnrollmentWindow(first.plusNanos(999), last);

        assertThat(longest.opensAt()).isEqualTo(first);
        assertThat(longest.closesAt()).isEqualTo(Instant.parse("9999-12-31T23:59:59.999999Z"));
        for (Instant outside : List.of(first.minusNanos(1), last.plusNanos(1), Instant.MIN, Instant.MAX)) {
            assertThatThrownBy(() -> new EnrollmentWindow(outside, null)).hasMessageContaining(outside.toString());
            assertThatThrownBy(() -> new EnrollmentWindow(null, outside)).hasMessageContaining(outside.toString());
        }
    }

    /* 200 characters of four bytes are 400 UTF-16 units. */
    @Test
    void the_length_of_a_text_is_counted_in_characters() {
        String longest = "\uD83C\uDF93".repeat(200);

        assertThat(new CourseTitle(longest).value()).isEqualTo(longest);
        assertThat(new StudentName(longest).value()).isEqualTo(longest);
        assertThatThrownBy(() -> new CourseTitle(longest + "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StudentName(longest + "x")).hasMessageContaining("201");
    }

    /*
     * According to the JDK's Unicode data: control characters are refused, invisible characters are refused without a
     * visible one.
     */
    @Test
    void a_text_has_a_visible_character_and_no_control_character() {
        for (int character = 0; character <= Character.MAX_CODE_POINT; character++) {
            String alone = Character.toString(character);
            boolean isControl = switch (Character.getType(character)) {
                case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                    true;
                default -> false;
            };
            boolean isInvisible = switch (Character.getType(character)) {
                case Character.FORMAT, Character.SPACE_SEPARATOR -> true;
                default -> false;
            };
            if (isControl) {
                assertRefused(CourseTitle::new, "a%sb".formatted(alone), "\\u");
                assertThatThrownBy(() -> new StudentName("a%sb".formatted(alone)))
                        .hasMessageContaining(String.format(Locale.ROOT, "U+%04X", character));
                assertThatThrownBy(() -> new EmailAddress("a%sb@x.org".formatted(alone)))
                        .isInstanceOf(IllegalArgumentException.class);
            } else if (isInvisible) {
                assertThatThrownBy(() -> new CourseTitle(alone)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> new StudentName(alone + alone)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> new EmailAddress(alone + "@x.org"))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(new CourseTitle(alone + "b" + alone).value()).hasSize(1 + 2 * alone.length());
            } else if (Character.isLetterOrDigit(character)
                    && character != 0x115F
                    && character != 0x1160
                    && character != 0x3164
                    && character != 0xFFA0) {
                assertThat(new CourseTitle(alone).value()).isEqualTo(alone);
                assertThat(new EmailAddress(alone + "@x.org").value()).startsWith(alone);
            }
        }
    }

    /* Hangul fillers are letters and variation selectors are marks, but neither is visible. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u115F\u1160",
                "\u3164",
                "\uFFA0",
                "\uFE0F",
                "\uDB40\uDD00",
                "\u2800",
                "\u034F",
                " \u200B\u3000\uFEFF"
            })
    void a_text_without_a_visible_character_is_refused(String invisible) {
        assertRefused(CourseTitle::new, invisible, invisible);
        assertRefusedWithoutTelling(StudentName::new, invisible);
        assertThatThrownBy(() -> new EmailAddress("a@%s.org".formatted(invisible)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u05D0\u200F",
                "\u0645\u06CC\u200C\u062E",
                "\uD83D\uDC69\u200D\uD83D\uDC67",
                "\u8FBB\uDB40\uDD00",
                "e\u0301",
                "\u202Eabc"
            })
    void a_text_may_have_format_characters_beside_visible_ones(String text) {
        assertThat(new CourseTitle(text).value()).isEqualTo(text);
        assertThat(new StudentName(text).value()).isEqualTo(text);
    }

    @Test
    void values_are_equal_by_type_and_content() {
        assertThat(new CourseTitle("x")).isEqualTo(new CourseTitle("x")).hasSameHashCodeAs(new CourseTitle("x"));
        assertThat(new CourseTitle("x")).isNotEqualTo(new CourseTitle("y")).isNotEqualTo(new StudentName("x"));
    }

    @Test
    void a_students_limit_is_1_course_or_more() {
        assertThat(new EnrollmentSettings(1).coursesPerStudent()).isEqualTo(1);
        assertRefused(EnrollmentSettings::new, 0, "0");
    }

    private static <T> void assertRefused(Function<T, ?> constructor, T value, String named) {
        assertThatThrownBy(() -> constructor.apply(value))
                .as("%s", value)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }

    /* A person's name must not appear in a log. */
    private static void assertRefusedWithoutTelling(Function<String, ?> constructor, String value) {
        assertThatThrownBy(() -> constructor.apply(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(value.codePointCount(0, value.length())))
                .hasMessageNotContaining("'");
    }
}
