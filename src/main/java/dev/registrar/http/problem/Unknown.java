package dev.registrar.http.problem;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import dev.registrar.security.Caller;
import dev.registrar.security.Role;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;

/**
 * The answer about something that does not exist: the problem's code and a sentence that names it.
 *
 * @param student whom it is about; null if it is not about one student
 */
public record Unknown(String code, String detail, @Nullable StudentId student) {

    private Unknown(String code, String detail) {
        this(code, detail, null);
    }

    public static Unknown course(CourseId course) {
        return new Unknown("course-unknown", "There is no course %s".formatted(course));
    }

    public static Unknown student(StudentId student) {
        return new Unknown("student-unknown", "There is no student %s".formatted(student), student);
    }

    public static Unknown enrollment(StudentId student, CourseId course) {
        return new Unknown(
                "not-enrolled", "Student %s is not enrolled in course %s".formatted(student, course), student);
    }

    public static Unknown place(StudentId student, CourseId course) {
        return new Unknown(
                "not-waiting",
                "Student %s is not on the waiting list of course %s".formatted(student, course),
                student);
    }

    public static Unknown event(long position) {
        return new Unknown("event-unknown", "There is no event at position %s".formatted(position));
    }

    public static Unknown imported(UUID id) {
        return new Unknown(
                "import-unknown",
                "There is no report of import %s in this process: the oldest reports and those before a restart are removed"
                        .formatted(id));
    }

    /**
     * The answer about refused commands of a correlation id.
     *
     * @param kept the most refusals that this instance keeps
     */
    public static Unknown refusal(String correlationId, int kept) {
        return new Unknown(
                "refusal-unknown",
                "There is no refused command of correlation %s among the latest %s refusals of this instance since its start; other instances keep their own"
                        .formatted(Problem.shown(correlationId), kept));
    }

    /**
     * Gives this answer to a student who asks about another student. The course office may ask about every student, a
     * student about themselves.
     *
     * @throws UnknownToCallerException if the caller is another student
     * @throws AccessDeniedException if the caller is neither of the course office nor a student
     */
    public void checkCaller() {
        /*
         * Why the answer tells a student nothing about others: it is made from the request alone. Whether the other
         * student exists, is enrolled or waits is not looked up, so neither content, headers nor time depend on it.
         */
        Caller caller = Caller.current();
        if (student == null || caller.has(Role.COURSE_OFFICE)) {
            return;
        }
        if (!caller.has(Role.STUDENT)) {
            throw new AccessDeniedException("The caller's roles and scopes do not allow this request");
        }
        if (!student.value().equals(caller.student())) {
            throw new UnknownToCallerException(this);
        }
    }

    public <B> ResponseEntity<B> response() {
        return Problem.response(Problem.of(HttpStatus.NOT_FOUND, code, detail));
    }
}
