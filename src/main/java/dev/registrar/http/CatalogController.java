package dev.registrar.http;

import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Seats;
import dev.registrar.catalog.CoursesView.Sort;
import dev.registrar.catalog.StudentsView;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.CourseController.Course;
import dev.registrar.http.StudentController.Student;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.projection.ViewAt;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The catalog: lists of courses and students in pages, and the number of seats. */
@RestController
@RequestMapping(path = "/api", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Catalog", description = "List courses and students page by page")
final class CatalogController {
    static final int LONGEST_SEARCH = 200;
    /** Any text without U+0000, which PostgreSQL's text cannot hold. */
    static final String SEARCH = "[^\\x00]*";

    private static final String NUMBER = "-?\\d{1,9}";

    private final Views views;
    private final CoursesView courses;
    private final StudentsView students;

    CatalogController(Views views, CoursesView courses, StudentsView students) {
        this.views = views;
        this.courses = courses;
        this.students = students;
    }

    record Courses(List<Course> courses) {}

    record Students(List<Student> students) {}

    @GetMapping("/courses")
    @Operation(
            summary = "List courses",
            description =
                    "The Link header points to the next page, if there is one. With Accept: text/csv, all courses as a file")
    ResponseEntity<Courses> listCourses(
            @RequestParam(defaultValue = "")
                    @Size(max = LONGEST_SEARCH, message = "must have at most " + LONGEST_SEARCH + " characters") @Pattern(regexp = SEARCH, message = "must not contain U+0000") @Parameter(
                            description =
                                    "Text that the title contains; capital or small letters, full-width letters and ligatures do not matter")
                    String search,
            @RequestParam(defaultValue = "all")
                    @Pattern(regexp = "all|open|full", message = "must be all, open or full") @Parameter(
                            description =
                                    "open: not closed, with a free seat and an empty waiting list; full: no free seat")
                    String filter,
            @RequestParam(defaultValue = "title")
                    @Pattern(regexp = "title|seats|popularity", message = "must be title, seats or popularity") @Parameter(
                            description =
                                    "title: A to Z; seats: most free seats first; popularity: most students first")
                    String sort,
            @RequestParam(required = false) @Parameter(description = Pages.AFTER) @Nullable String after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        Sort order = KebabCase.parse(Sort.class, sort);
        Filter kept = KebabCase.parse(Filter.class, filter);
        CoursesView.@Nullable Cursor behind = Pages.cursor(after)
                .map(keyAndId -> cursor(order, keyAndId.getFirst(), keyAndId.getLast()))
                .orElse(null);
        return views.page(
                courses,
                tables -> CoursesView.page(tables, search, kept, order, behind, limit),
                page -> Views.PageBody.of(
                        page.courses().stream().map(Course::of).toList(),
                        Courses::new,
                        page.next().map(next -> Pages.cursor(next.key(), next.id()))));
    }

    private static CoursesView.Cursor cursor(Sort order, String key, String id) {
        if (order != Sort.TITLE && !key.matches(NUMBER)) {
            throw new InvalidValueException(
                    "/after", "is a cursor for another sort order: use the one in this list's Link header");
        }
        return new CoursesView.Cursor(key, id);
    }

    @GetMapping("/students")
    @Operation(
            summary = "List students by their names",
            description = "The Link header points to the next page, if there is one")
    ResponseEntity<Students> listStudents(
            @RequestParam(defaultValue = "")
                    @Size(max = LONGEST_SEARCH, message = "must have at most " + LONGEST_SEARCH + " characters") @Pattern(regexp = SEARCH, message = "must not contain U+0000") @Parameter(
                            description =
                                    "Text that the name begins with; capital or small letters, full-width letters and ligatures do not matter")
                    String search,
            @RequestParam(required = false) @Parameter(description = Pages.AFTER) @Nullable String after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        StudentsView.@Nullable Cursor behind = Pages.cursor(after)
                .map(keyAndId -> new StudentsView.Cursor(keyAndId.getFirst(), keyAndId.getLast()))
                .orElse(null);
        return views.page(
                students,
                tables -> StudentsView.page(tables, search, behind, limit),
                page -> Views.PageBody.of(
                        page.students().stream().map(Student::of).toList(),
                        Students::new,
                        page.next().map(next -> Pages.cursor(next.name(), next.id()))));
    }

    @GetMapping("/seats")
    @Operation(summary = "Count the seats of all courses")
    ResponseEntity<Seats> countSeats() {
        ViewAt<Seats> read = views.search(courses, CoursesView::seats);
        return ResponseEntity.ok()
                .header(Headers.POSITION, read.position().toString())
                .body(read.found());
    }
}
