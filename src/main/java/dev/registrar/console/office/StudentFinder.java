package dev.registrar.console.office;

import dev.registrar.catalog.Current;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.console.ConsoleReads;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Finds a student by the id in a path or in a search. */
@Component
final class StudentFinder {
    private final ConsoleReads reads;
    private final StudentsView students;

    StudentFinder(ConsoleReads reads, StudentsView students) {
        this.reads = reads;
        this.students = students;
    }

    /** The student; empty if none is registered with the id. */
    Optional<StudentView> find(String studentId, HttpServletRequest request) {
        return OfficePages.student(studentId)
                .flatMap(student -> reads.read(request, students, tables -> StudentsView.find(tables, student))
                        .found())
                .map(Current::view);
    }
}
