package dev.registrar.http;

import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Sort;
import dev.registrar.enrollment.CourseId;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.download.CatalogFiles;
import dev.registrar.http.problem.IdForm;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The list of courses and the roster of a course as CSV: all rows, for a client that accepts only CSV. */
@RestController
@RequestMapping(path = "/api", produces = "text/csv")
@Hidden // a description has one operation for a path and a method; it is that of the pages in JSON, and lists this
// media type, too
final class ListFileController {
    private final Views views;
    private final CatalogFiles files;

    ListFileController(Views views, CatalogFiles files) {
        this.views = views;
        this.files = files;
    }

    @GetMapping("/courses")
    void courses(
            @RequestParam(defaultValue = "")
                    @Size(
                            max = CatalogController.LONGEST_SEARCH,
                            message = "must have at most " + CatalogController.LONGEST_SEARCH + " characters")
                    @Pattern(regexp = CatalogController.SEARCH, message = "must not contain U+0000") String search,
            @RequestParam(defaultValue = "all")
                    @Pattern(regexp = "all|open|full", message = "must be all, open or full") String filter,
            @RequestParam(defaultValue = "title")
                    @Pattern(regexp = "title|seats|popularity", message = "must be title, seats or popularity") String sort,
            HttpServletResponse response)
            throws IOException {
        files.sendCourses(
                search,
                KebabCase.parse(Filter.class, filter),
                KebabCase.parse(Sort.class, sort),
                false,
                views,
                response);
    }

    /** Null after the roster has been written. */
    @GetMapping("/courses/{courseId}/students")
    @Nullable ResponseEntity<Void> roster(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            HttpServletResponse response)
            throws IOException {
        CourseId course = new CourseId(courseId);
        Optional<ResponseEntity<Void>> unknown = views.unlessExists(views.course(course));
        if (unknown.isEmpty()) {
            files.sendRoster(course, false, views, response);
        }
        return unknown.orElse(null);
    }
}
