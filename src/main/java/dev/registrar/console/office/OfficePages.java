package dev.registrar.console.office;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.ui.Model;

/** What the pages of the course office have in common. */
final class OfficePages {
    /** Maximum number of rows on a page. */
    static final int ROWS = 50;

    static final String COURSES = "/console/office/courses";
    static final String STUDENTS = "/console/office/students";

    private static final int LONGEST_SEARCH = 200;

    private static final String BEHIND = "The page appears when the view has caught up; until then it is not found.";

    private OfficePages() {}

    /** The id in a path; empty if it cannot be the id of a course. */
    static Optional<CourseId> course(String id) {
        return id.matches(CourseId.PATTERN) ? Optional.of(new CourseId(id)) : Optional.empty();
    }

    /** The id in a path; empty if it cannot be the id of a student. */
    static Optional<StudentId> student(String id) {
        return id.matches(StudentId.PATTERN) ? Optional.of(new StudentId(id)) : Optional.empty();
    }

    /** The text of a search as the views take it: without U+0000, and cut at 200 characters. */
    static String search(String typed) {
        String text = typed.replace("\0", "").strip();
        return text.substring(
                0, text.offsetByCodePoints(0, Math.min(LONGEST_SEARCH, text.codePointCount(0, text.length()))));
    }

    /** The page that says that there is no such course, or that it is not in the view yet. */
    static String noCourse(String id, Model model, HttpServletResponse response) {
        String page = absent(
                "There is no course with the id %s.".formatted(shown(id)),
                COURSES,
                "Search for a course",
                model,
                response);
        model.addAttribute("sentenceIfBehind", "The course %s is defined. %s".formatted(shown(id), BEHIND));
        return page;
    }

    /** The page that says that there is no such student, or that the student is not in the view yet. */
    static String noStudent(String id, Model model, HttpServletResponse response) {
        String page = absent(
                "There is no student with the id %s.".formatted(shown(id)),
                STUDENTS,
                "Search for a student",
                model,
                response);
        model.addAttribute("sentenceIfBehind", "The student %s is registered. %s".formatted(shown(id), BEHIND));
        return page;
    }

    /** The page that says that something does not exist, with a link to where it could be found. */
    static String absent(String sentence, String path, String link, Model model, HttpServletResponse response) {
        response.setStatus(HttpStatus.NOT_FOUND.value());
        model.addAttribute("sentence", sentence);
        model.addAttribute("sentenceIfBehind", BEHIND);
        model.addAttribute("where", path);
        model.addAttribute("link", link);
        return "console/office/absent";
    }

    private static String shown(String id) {
        return "'%s'".formatted(id.substring(0, Math.min(id.length(), 64)));
    }

    /** A redirect to the page of a course, whose id has no character with a meaning in a path. */
    static String toCourse(String id) {
        return "redirect:%s/%s".formatted(COURSES, id);
    }

    /** A redirect to the page of a student. */
    static String toStudent(String id) {
        return "redirect:%s/%s".formatted(STUDENTS, id);
    }
}
