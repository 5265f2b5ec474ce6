package dev.registrar.console;

import static dev.registrar.security.Role.AUDITOR;
import static dev.registrar.security.Role.COURSE_OFFICE;
import static dev.registrar.security.Role.OPERATOR;
import static dev.registrar.security.Role.STUDENT;

import dev.registrar.security.Role;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The menus in the header of each page, one for each audience. */
final class Navigation {
    private static final List<Audience> AUDIENCES = List.of(
            new Audience(
                    "Study",
                    List.of(
                            new Entry("Catalogue", Set.of(STUDENT), List.of("/console/courses")),
                            new Entry("My courses", Set.of(STUDENT), List.of("/console/my")))),
            new Audience(
                    "Course office",
                    List.of(
                            new Entry(
                                    "Courses",
                                    Set.of(COURSE_OFFICE),
                                    List.of("/console/office/courses", "/console/office/define")),
                            new Entry(
                                    "Students",
                                    Set.of(COURSE_OFFICE),
                                    List.of("/console/office/students", "/console/office/register")),
                            new Entry("Import", Set.of(COURSE_OFFICE), List.of("/console/office/import")),
                            new Entry(
                                    "Refusals",
                                    Set.of(COURSE_OFFICE, AUDITOR, OPERATOR),
                                    List.of("/console/refusals")))),
            new Audience(
                    "Operations",
                    List.of(
                            new Entry("Events", Set.of(AUDITOR, OPERATOR), List.of("/console/events")),
                            new Entry("Condition lab", Set.of(AUDITOR), List.of("/console/lab")),
                            new Entry("Contention", Set.of(OPERATOR), List.of("/console/contention")),
                            new Entry("Projections", Set.of(OPERATOR), List.of("/console/projections")),
                            new Entry("Store", Set.of(OPERATOR), List.of("/console/store")))));

    private record Audience(String name, List<Entry> entries) {}

    /** @param paths of the page, and of others that belong to it */
    private record Entry(String text, Set<Role> roles, List<String> paths) {
        Link link(String shown) {
            return new Link(
                    text,
                    paths.getFirst(),
                    paths.stream().anyMatch(path -> shown.equals(path) || shown.startsWith(path + "/")));
        }
    }

    private Navigation() {}

    /**
     * The pages of an audience.
     *
     * @param current whether the shown page is one of them
     */
    record Menu(String name, List<Link> links, boolean current) {}

    /** @param current whether the shown page is this one, or below it */
    record Link(String text, String path, boolean current) {}

    /** The menus with the pages that a visitor may see. */
    static List<Menu> of(Visitor visitor, String shown) {
        return AUDIENCES.stream()
                .map(audience -> menu(audience, visitor, shown))
                .filter(menu -> !menu.links().isEmpty())
                .toList();
    }

    private static Menu menu(Audience audience, Visitor visitor, String shown) {
        List<Link> links = audience.entries().stream()
                .filter(entry -> !Collections.disjoint(entry.roles(), visitor.roles()))
                .map(entry -> entry.link(shown))
                .toList();
        return new Menu(audience.name(), links, links.stream().anyMatch(Link::current));
    }
}
