package dev.registrar.console.student;

import dev.registrar.catalog.StudentView;
import dev.registrar.console.Visitor;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Whose pages a visitor sees. The id comes from the visitor alone, never from a parameter.
 *
 * @param id the student's id; null if the visitor is no student, or has not chosen one
 * @param student null if no student is registered with the id, or there is no id
 * @param storeHasStudents whether it makes sense to choose a student
 */
record Whose(@Nullable String id, @Nullable StudentView student, boolean storeHasStudents) {

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
                    student != null || reads.hasStudents(request));
        }
    }
}
