package dev.registrar.console.live;

import dev.registrar.catalog.CoursesView;
import dev.registrar.enrollment.CourseId;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.http.problem.IdForm;
import dev.registrar.projection.ViewReader;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The seats of the courses on an open page: when they have changed, and how many they are. */
@Controller
final class SeatsController {
    private static final String PATH = "/console/live/seats";
    /** While the view is behind, all pages together ask for its position at most this often. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final PageChanges changes;
    private final ViewReader views;
    private final CoursesView courses;
    private final ShownView shown;

    SeatsController(PageChanges changes, ViewReader views, CoursesView courses) {
        this.changes = changes;
        // A page is told once of a change, and so must see it then.
        this.views = views.ofPrimary();
        this.courses = courses;
        this.shown = new ShownView(
                position -> this.views.read(courses, position, tables -> true).position(), PAUSE);
    }

    /**
     * Tells a page that its courses have changed.
     *
     * @param course the ids of the courses that the page shows; all if absent
     */
    @GetMapping(path = PATH, headers = "!HX-Request")
    void follow(
            @RequestParam(defaultValue = "")
                    List<@Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String> course,
            HttpServletRequest request,
            HttpServletResponse response) {
        Query query = course.isEmpty()
                ? courses.query()
                : new Query(course.stream()
                        .map(id -> QueryItem.tags(new CourseId(id).tag().value()))
                        .toList());
        changes.follow(query, shown::isUpTo, request, response);
    }

    /** The seats of courses, each of which replaces those on the page. */
    @GetMapping(path = PATH, headers = "HX-Request")
    String seats(
            @RequestParam List<@Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String> course,
            Model model) {
        model.addAttribute(
                "courses",
                views.read(courses, Position.START, tables -> CoursesView.among(tables, course))
                        .found());
        return "console/parts :: changedSeats";
    }
}
