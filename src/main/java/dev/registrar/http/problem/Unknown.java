package dev.registrar.http.problem;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** The answer about something that does not exist: the problem's code and a sentence that names it. */
public record Unknown(String code, String detail) {

    public static Unknown course(CourseId course) {
        return new Unknown("course-unknown", "There is no course %s".formatted(course));
    }

    public static Unknown student(StudentId student) {
        return new Unknown("student-unknown", "There is no student %s".formatted(student));
    }

    public static Unknown enrollment(StudentId student, CourseId course) {
        return new Unknown("not-enrolled", "Student %s is not enrolled in course %s".formatted(student, course));
    }

    public static Unknown place(StudentId student, CourseId course) {
        return new Unknown(
                "not-waiting", "Student %s is not on the waiting list of course %s".formatted(student, course));
    }

    public static Unknown event(long position) {
        return new Unknown("event-unknown", "There is no event at position %d".formatted(position));
    }

    public static Unknown imported(UUID id) {
        return new Unknown(
                "import-unknown",
                "There is no report of import %s in this process: the oldest reports and those before a restart are removed"
                        .formatted(id));
    }

    public <B> ResponseEntity<B> response() {
        return Problem.response(Problem.of(HttpStatus.NOT_FOUND, code, detail));
    }
}
