package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
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
    void an_id_has_1_to_64_characters_that_stand_in_a_url(String value) {
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
    void an_id_has_no_other_characters_and_no_more(String value) {
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
            assertRefused(CourseTitle::new, wrong, wrong);
            assertRefusedWithoutTelling(StudentName::new, wrong);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a@b.c", "ann.lee+maths@mail.example.org", "ä@ö.example"})
    void an_address_has_a_part_before_the_at_and_a_host_with_a_dot(String value) {
        assertThat(new EmailAddress(value).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "a@", "@b.c", "a@b", "a@b.", "a@.c", "a@b..c", "a b@c.d", "a@b@c.d", "a@b.c\n"})
    void what_does_not_look_like_an_address_is_none(String value) {
        assertRefusedWithoutTelling(EmailAddress::new, value);
    }

    @Test
    void an_address_has_at_most_254_characters() {
        String longest = "x".repeat(250) + "@b.c";

        assertThat(new EmailAddress(longest).value()).hasSize(254);
        assertRefusedWithoutTelling(EmailAddress::new, "x" + longest);
    }

    @Test
    void a_very_long_text_is_refused_as_an_address_like_any_other() {
        assertRefusedWithoutTelling(EmailAddress::new, "a@a" + ".a".repeat(30_000));
    }

    @Test
    void an_address_has_one_tag_in_upper_and_lower_case() {
        EmailAddress lower = new EmailAddress("ann@example.org");

        assertThat(new EmailAddress("ANN@Example.ORG").tag()).isEqualTo(lower.tag());
        assertThat(new EmailAddress("ann@example.com").tag()).isNotEqualTo(lower.tag());
        assertThat(lower.tag().value()).matches("email:[0-9a-f]{64}").doesNotContain("ann", "example");
    }

    @Test
    void a_window_closes_after_it_opens() {
        Instant opens = Instant.parse("2030-03-01T08:00:00Z");

        assertThat(new EnrollmentWindow(opens, opens.plusNanos(1)).isOpenAt(opens))
                .isTrue();
        assertThatThrownBy(() -> new EnrollmentWindow(opens, opens))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(opens.toString());
        assertThatThrownBy(() -> new EnrollmentWindow(opens, opens.minusNanos(1)))
                .isInstanceOf(IllegalArgumentException.class);
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

    /* What a person is called ends in no log. */
    private static void assertRefusedWithoutTelling(Function<String, ?> constructor, String value) {
        assertThatThrownBy(() -> constructor.apply(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(value.length()))
                .hasMessageNotContaining("'");
    }
}
