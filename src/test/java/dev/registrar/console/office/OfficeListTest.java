package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.http.ServiceTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;

/** The list of courses in several pages. */
@ServiceTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OfficeListTest {
    private static final int COURSES = 120;
    private static final String LIST = "/console/office/courses";
    private static final Pattern NEXT = Pattern.compile("href=\"([^\"]*)\">Next page");
    private static final Pattern COURSE = Pattern.compile("href=\"/console/office/courses/(many-[0-9]+)\"");

    private final ConsoleClient office;
    private final Api api;

    OfficeListTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.office = new ConsoleClient(port).after(api);
    }

    @BeforeAll
    void many_courses(@Autowired EventStore store, @Autowired EnrollmentEventCodec codec) {
        List<Event> events = new ArrayList<>();
        for (int course = 0; course < COURSES; course++) {
            CourseDefined defined = new CourseDefined(
                    new CourseId("many-" + course),
                    new CourseTitle("Many %s & more".formatted(course / 2)),
                    new Capacity(1),
                    EnrollmentWindow.ALWAYS);
            events.add(codec.encode(defined).event());
        }
        store.append(Append.of(events).by(Actor.of("test", "office")));
        // The view has reached a later event, so it has these.
        api.get("/api/courses/" + api.course(1)).expect(200);
    }

    @Test
    void all_pages_together_show_each_course_once() {
        Set<String> seen = new HashSet<>();
        int pages = 0;
        int shown = 0;
        Page page = office.open(LIST + "?search=many+").expect(200);
        for (Matcher next = next(page); next != null; next = next(page)) {
            shown += add(page, seen);
            pages++;
            page = office.open(HtmlUtils.htmlUnescape(next.group(1))).expect(200);
        }
        shown += add(page, seen);

        assertThat(seen).hasSize(COURSES);
        assertThat(shown).isEqualTo(COURSES);
        assertThat(pages + 1).isEqualTo(3);
        assertThat(page.text()).contains("First page");
    }

    private static @Nullable Matcher next(Page page) {
        Matcher next = NEXT.matcher(page.html());
        return next.find() ? next : null;
    }

    private static int add(Page page, Set<String> seen) {
        int added = 0;
        for (Matcher course = COURSE.matcher(page.html()); course.find(); ) {
            seen.add(course.group(1));
            added++;
        }
        return added;
    }

    @Test
    void a_search_finds_a_title_or_an_id() {
        assertThat(office.open(LIST + "?search=MANY+49+%26").expect(200).text()).contains("many-98", "many-99");
        assertThat(office.open(LIST + "?search=many-77").expect(200).text())
                .contains("The course with this id: Many 38 & more");
    }

    @Test
    void a_made_up_cursor_or_filter_is_harmless() {
        assertThat(office.open(LIST + "?key=%00%22%3Cx&id=%27&filter=none&search=%25_%5C")
                        .status())
                .isEqualTo(200);
        assertThat(office.open(LIST + "?key=%F4%8F%BF%BF&id=z").expect(200).text())
                .contains("There are no further courses.");
    }
}
