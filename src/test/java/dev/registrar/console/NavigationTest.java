package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.console.Navigation.Link;
import dev.registrar.console.Navigation.Menu;
import dev.registrar.security.Caller;
import dev.registrar.security.Role;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NavigationTest {

    private static List<Menu> menus(String shown, Role... roles) {
        return Navigation.of(new Visitor(Caller.local(), Set.of(roles), null), shown);
    }

    @Test
    void each_audience_has_a_menu_with_the_pages_of_the_visitors_roles() {
        assertThat(menus("/", Role.values()))
                .extracting(Menu::name)
                .containsExactly("Study", "Course office", "Operations");
        assertThat(menus("/", Role.COURSE_OFFICE))
                .singleElement()
                .satisfies(menu -> assertThat(menu.links())
                        .extracting(Link::text)
                        .containsExactly("Courses", "Students", "Import", "Refusals"));
        assertThat(menus("/", Role.AUDITOR))
                .flatExtracting(Menu::links)
                .extracting(Link::text)
                .containsExactly("Refusals", "Events", "Condition lab");
    }

    @Test
    void the_menu_of_the_shown_page_is_the_current_one() {
        assertThat(menus("/", Role.values())).noneMatch(Menu::current);
        assertThat(menus("/console/office/register", Role.values()))
                .filteredOn(Menu::current)
                .singleElement()
                .satisfies(menu -> assertThat(menu.links())
                        .filteredOn(Link::current)
                        .extracting(Link::text)
                        .containsExactly("Students"));
        assertThat(menus("/console/courses/maths/drop", Role.values()))
                .filteredOn(Menu::current)
                .extracting(Menu::name)
                .containsExactly("Study");
    }
}
