package dev.registrar.console.student;

import dev.registrar.catalog.CoursesView.Cursor;
import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Sort;
import dev.registrar.eventstore.KebabCase;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Which part of the catalogue a page shows. The address of the page holds it, so that a link to the page shows the same
 * courses. A value that no page produces counts as absent.
 *
 * @param search text in the titles; empty for all courses
 * @param after the last course of the previous page; null for the first page
 */
record ShownCourses(
        String search, Filter filter, Sort sort, @Nullable Cursor after) {
    static final String PATH = "/console/courses";
    static final int LONGEST_SEARCH = 200;

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

    ShownCourses {
        search = text(search.strip());
        if (search.codePointCount(0, search.length()) > LONGEST_SEARCH) {
            search = search.substring(0, search.offsetByCodePoints(0, LONGEST_SEARCH));
        }
        if (after != null && sort != Sort.TITLE && !NUMBER.matcher(after.key()).matches()) {
            after = null;
        }
    }

    /**
     * The part that a page's parameters name; null for an absent parameter.
     *
     * @param after the value in the sorted column of the last course of the previous page
     * @param afterId the id of that course
     */
    static ShownCourses of(
            @Nullable String search,
            @Nullable String filter,
            @Nullable String sort,
            @Nullable String after,
            @Nullable String afterId) {
        return new ShownCourses(
                search == null ? "" : search,
                named(Filter.values(), filter).orElse(Filter.ALL),
                named(Sort.values(), sort).orElse(Sort.TITLE),
                after == null || afterId == null ? null : new Cursor(text(after), text(afterId)));
    }

    private static <E extends Enum<E>> Optional<E> named(E[] constants, @Nullable String name) {
        return Arrays.stream(constants)
                .filter(constant -> KebabCase.of(constant).equals(name))
                .findFirst();
    }

    /* PostgreSQL's text cannot hold U+0000. */
    private static String text(String given) {
        return given.replace("\0", "");
    }

    public String filterName() {
        return KebabCase.of(filter);
    }

    public String sortName() {
        return KebabCase.of(sort);
    }

    /** Whether the part is smaller than the whole catalogue. */
    public boolean isFiltered() {
        return !search.isEmpty() || filter != Filter.ALL;
    }

    public ShownCourses firstPage() {
        return new ShownCourses(search, filter, sort, null);
    }

    ShownCourses pageAfter(Cursor last) {
        return new ShownCourses(search, filter, sort, last);
    }

    /** The address of the page, encoded, without its context path. */
    public String address() {
        UriComponentsBuilder address = UriComponentsBuilder.fromPath(PATH);
        if (!search.isEmpty()) {
            address.queryParam("search", "{search}");
        }
        if (filter != Filter.ALL) {
            address.queryParam("filter", filterName());
        }
        if (sort != Sort.TITLE) {
            address.queryParam("sort", sortName());
        }
        if (after != null) {
            address.queryParam("after", "{after}").queryParam("afterId", "{afterId}");
        }
        return address.encode()
                .buildAndExpand(Map.of(
                        "search", search,
                        "after", after == null ? "" : after.key(),
                        "afterId", after == null ? "" : after.id()))
                .toUriString();
    }
}
