package dev.registrar.console;

import java.util.List;

/** All pages of the console, for the tests that walk them. */
final class ConsolePageList {
    /** Paths that answer with a part of a page, a file or a redirection. */
    static final List<String> PARTS = List.of(
            "/console/office",
            "/console/live/seats",
            "/console/rush/{rush}",
            "/console/events/live",
            "/console/events/types",
            "/console/events/tags",
            "/console/events/{position}/payload");

    static final List<Shown> PAGES = List.of(
            page("front", "/"),
            page("not-found", "/console/no-such-page", 404),
            page("catalogue", "/console/courses"),
            page("catalogue-search", "/console/courses?search=no+such+title"),
            page("course", "/console/courses/{course}"),
            page("course-full", "/console/courses/{full}"),
            page("course-closed", "/console/courses/{closed}"),
            page("course-drop", "/console/courses/{course}/drop"),
            page("course-unknown", "/console/courses/no-such-course", 404),
            page("my", "/console/my"),
            page("projections", "/console/projections"),
            page("projection", "/console/projections/courses"),
            page("projection-unknown", "/console/projections/no-such-view", 404),
            page("projection-confirm", "/console/projections/courses/reset/confirm"),
            page("projection-refused", "/console/projections/waiting-list/rebuild/confirm"),
            page("contention", "/console/contention"),
            page("events", "/console/events"),
            page("events-found", "/console/events?type0=CourseDefined&tag0=course%3A{course}&type1=StudentRegistered"),
            page("events-none", "/console/events?tag0=no-such-tag"),
            page("events-wrong", "/console/events?from=9&to=3", 422),
            page("event", "/console/events/{position}"),
            page("events-following", "/console/events?live=on"),
            page("event-unknown", "/console/events/999999999", 404),
            page("event-cause-unknown", "/console/events/999999999/cause", 404),
            page("correlation-unknown", "/console/events/correlation?id=no-such-id"),
            page("lab", "/console/lab"),
            page("lab-refused", "/console/lab?tag0=course%3A{course}&after=0&project=on"),
            page("lab-wrong", "/console/lab?after=soon", 422),
            page("store", "/console/store"),
            page("refusals", "/console/refusals"),
            page("refusals-none", "/console/refusals?reference=no-such-id"),
            page("office-courses", "/console/office/courses"),
            page("office-courses-search", "/console/office/courses?search=no+such+title"),
            page("office-define", "/console/office/define"),
            page("office-course", "/console/office/courses/{course}"),
            page("office-course-full", "/console/office/courses/{full}"),
            page("office-course-closed", "/console/office/courses/{closed}"),
            page("office-course-unknown", "/console/office/courses/no-such-course", 404),
            page("office-close", "/console/office/courses/{course}/close"),
            page("office-drop", "/console/office/courses/{course}/students/{student}/drop"),
            page("office-drop-unknown", "/console/office/courses/{closed}/students/{student}/drop", 404),
            page("office-clashes", "/console/office/courses/{full}/clashes"),
            page("office-history", "/console/office/courses/{full}/history"),
            page("office-students", "/console/office/students"),
            page("office-register", "/console/office/register"),
            page("office-student", "/console/office/students/{student}"),
            page("office-erase", "/console/office/students/{student}/erase"),
            page("office-import", "/console/office/import"),
            page("office-import-unknown", "/console/office/import/unknown", 404));

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
