package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The number of events of each course and each student of the data set. */
@State(Scope.Benchmark)
public class ExpectedCounts {
    private int students;
    private int[] ofCourse;
    private int[] ofStudent;

    /** Counts the definition of each course, the registration of each student, and the enrollments. */
    @Setup
    public void count() {
        Contents contents = MeasuredDatabase.ofThisProcess().contents();
        students = contents.students();
        ofCourse = new int[contents.courses() + 1];
        ofStudent = new int[students + 1];
        contents.data().events().forEach(event -> {
            if (event instanceof StudentEnrolledInCourse in) {
                ofCourse[Contents.number(in.course().value())]++;
                ofStudent[Contents.number(in.student().value())]++;
            }
        });
    }

    int ofCourse(int course) {
        return ofCourse[course] + 1;
    }

    int ofStudent(int student) {
        return ofStudent[student] + 1;
    }

    int students() {
        return students;
    }
}
