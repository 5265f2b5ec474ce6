package dev.registrar.console.student;

import dev.registrar.catalog.StudentView;
import dev.registrar.console.Visitor;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Whose pages a visitor sees. The id comes from the visitor alone, never from a parameter.
 *
 * @param id the student's id; null if the visitor is no student, or has not chosen one
 * @param student null if no student is registered with the id, or there is no id
 * @param someStudents the first ones by name, for a visitor who chooses one; else empty
 */
record Whose(@Nullable String id, @Nullable StudentView student, List<StudentView> someStudents) {
    Whose {
        someStudents = List.copyOf(someStudents);
    }

    /** Finds out whose pages a visitor sees. */
    @Component
    static final class Finder {
        private final StudentReads reads;

        Finder(StudentReads reads) {
            this.reads = reads;
        }

        Whose of(Visitor visitor, HttpServletRequest request) {
            StudentView student = visitor.student() == null
                    ? null
                    : reads.student(request, visitor.student()).orElse(null);
            return new Whose(
                    visitor.student() == null ? null : visitor.student().value(),
                    student,
                    visitor.isLocal() && visitor.student() == null ? reads.someStudents(request) : List.of());
        }
    }
}
