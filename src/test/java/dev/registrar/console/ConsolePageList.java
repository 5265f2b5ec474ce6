package dev.registrar.console;

import java.util.List;

/** All pages of the console, for the tests that walk them. */
final class ConsolePageList {
    /** Paths that answer with a part of a page, a file or a redirection. */
    static final List<String> PARTS = List.of();

    static final List<Shown> PAGES = List.of(
            page("front", "/"),
            page("not-found", "/console/no-such-page", 404),
            page("catalogue", "/console/courses"),
            page("catalogue-search", "/console/courses?search=no+such+title"),
            page("course", "/console/courses/{course}"),
            page("course-full", "/console/courses/{full}"),
            page("course-closed", "/console/courses/{closed}"),
            page("course-unknown", "/console/courses/no-such-course", 404),
            page("my", "/console/my"),
            page("projections", "/console/projections"),
            page("projection", "/console/projections/courses"),
            page("projection-unknown", "/console/projections/no-such-view", 404),
            page("projection-confirm", "/console/projections/courses/reset/confirm"),
            page("projection-refused", "/console/projections/waiting-list/rebuild/confirm"),
            page("contention", "/console/contention"),
            page("store", "/console/store"));

    private ConsolePageList() {}

    /**
     * A page in one of its states.
     *
     * @param name of its screenshot
     * @param template of its path, with variables of {@link ConsoleScene}
     * @param status of the answer
     */
    record Shown(String name, String template, int status) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Shown page(String name, String template) {
        return page(name, template, 200);
    }

    private static Shown page(String name, String template, int status) {
        return new Shown(name, template, status);
    }
}
