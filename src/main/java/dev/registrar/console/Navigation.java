package dev.registrar.console;

import static dev.registrar.security.Role.AUDITOR;
import static dev.registrar.security.Role.COURSE_OFFICE;
import static dev.registrar.security.Role.OPERATOR;
import static dev.registrar.security.Role.STUDENT;

import dev.registrar.security.Role;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The links in the header of each page. */
final class Navigation {
    private static final List<Entry> ENTRIES = List.of(
            entry("Catalogue", "/console/courses", STUDENT),
            entry("My courses", "/console/my", STUDENT),
            entry("Courses", "/console/office/courses", COURSE_OFFICE),
            entry("Students", "/console/office/students", COURSE_OFFICE),
            entry("Import", "/console/office/import", COURSE_OFFICE),
            entry("Events", "/console/events", AUDITOR, OPERATOR),
            entry("Condition lab", "/console/lab", AUDITOR),
            entry("Contention", "/console/contention", OPERATOR),
            entry("Projections", "/console/projections", OPERATOR),
            entry("Store", "/console/store", OPERATOR));

    private record Entry(String text, String path, Set<Role> roles) {}

    private Navigation() {}

    private static Entry entry(String text, String path, Role... roles) {
        return new Entry(text, path, Set.copyOf(Arrays.asList(roles)));
    }

    /** @param current whether the shown page is this one, or below it */
    record Link(String text, String path, boolean current) {}

    /** The links of the pages that a visitor may see. */
    static List<Link> of(Visitor visitor, String shown) {
        return ENTRIES.stream()
                .filter(entry -> !Collections.disjoint(entry.roles(), visitor.roles()))
                .map(entry -> new Link(
                        entry.text(), entry.path(), shown.equals(entry.path()) || shown.startsWith(entry.path() + "/")))
                .toList();
    }
}
