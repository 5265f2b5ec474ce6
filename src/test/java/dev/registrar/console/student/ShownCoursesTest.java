package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.catalog.CoursesView.Cursor;
import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Sort;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/** The part of the catalogue that an address names. */
class ShownCoursesTest {

    private static ShownCourses parsed(String address) {
        UriComponents uri = UriComponentsBuilder.fromUriString(address).build(true);
        return ShownCourses.of(
                parameter(uri, "search"),
                parameter(uri, "filter"),
                parameter(uri, "sort"),
                parameter(uri, "after"),
                parameter(uri, "afterId"));
    }

    private static @Nullable String parameter(UriComponents uri, String name) {
        String value = uri.getQueryParams().getFirst(name);
        return value == null ? null : UriUtils.decode(value, "UTF-8");
    }

    @Test
    void absent_parameters_name_the_beginning_of_the_whole_catalogue() {
        ShownCourses all = ShownCourses.of(null, null, null, null, null);

        assertThat(all).isEqualTo(new ShownCourses("", Filter.ALL, Sort.TITLE, null));
        assertThat(all.address()).isEqualTo("/console/courses");
        assertThat(all.isFiltered()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"maths", "a&b=c#d?", "100% {x} +", "\u05D0\u202E\uD83D\uDE00", "\"><script>"})
    void an_address_names_the_part_it_was_made_from(String text) {
        ShownCourses shown = new ShownCourses(text, Filter.OPEN, Sort.TITLE, new Cursor(text, "course-1"));

        assertThat(parsed(shown.address())).isEqualTo(shown);
    }

    @Test
    void unknown_values_count_as_absent() {
        assertThat(ShownCourses.of("x", "best", "colour", "a", null))
                .isEqualTo(new ShownCourses("x", Filter.ALL, Sort.TITLE, null));
    }

    @Test
    void a_cursor_of_another_order_counts_as_absent() {
        assertThat(ShownCourses.of("", "all", "seats", "maths", "course-1").after())
                .isNull();
        assertThat(ShownCourses.of("", "all", "seats", "-3", "course-1").after())
                .isEqualTo(new Cursor("-3", "course-1"));
    }

    @Test
    void a_search_is_one_that_the_database_can_take() {
        assertThat(ShownCourses.of(" a\0b ", null, null, null, null).search()).isEqualTo("ab");
        assertThat(ShownCourses.of("\uD83D\uDE00".repeat(300), null, null, null, null)
                        .search())
                .isEqualTo("\uD83D\uDE00".repeat(200));
    }
}
