package dev.registrar.automation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.StudentId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A model of the rules: it enters a log event by event, and fails at an event that the rules forbid. */
final class Register {
    private final int limit;
    private final Map<CourseId, Page> pages = new LinkedHashMap<>();
    private int promotions;

    private static final class Page {
        private int seats;
        private boolean closed;
        private final Set<StudentId> enrolled = new LinkedHashSet<>();
        private final List<StudentId> line = new ArrayList<>();
    }

    Register(int limit) {
        this.limit = limit;
    }

    int promotions() {
        return promotions;
    }

    void enter(List<EnrollmentEvent> log) {
        for (int i = 0; i < log.size(); i++) {
            EnrollmentEvent next = i + 1 < log.size() ? log.get(i + 1) : log.get(i);
            switch (log.get(i)) {
                case CourseDefined defined -> {
                    Page page = new Page();
                    page.seats = defined.capacity().seats();
                    pages.put(defined.course(), page);
                }
                case CourseCapacityChanged changed -> {
                    page(changed.course()).seats = changed.capacity().seats();
                    assertThat(page(changed.course()).enrolled)
                            .hasSizeLessThanOrEqualTo(changed.capacity().seats());
                }
                case CourseClosed closed -> page(closed.course()).closed = true;
                case StudentRegistered registered -> {}
                case StudentEnrolledInCourse in -> enroll(in, next);
                case StudentDroppedCourse out ->
                    assertThat(page(out.course()).enrolled.remove(out.student()))
                            .isTrue();
                case StudentJoinedWaitingList joined -> join(joined);
                case StudentLeftWaitingList left ->
                    assertThat(page(left.course()).line.remove(left.student())).isTrue();
            }
        }
    }

    private void enroll(StudentEnrolledInCourse in, EnrollmentEvent next) {
        Page page = page(in.course());
        assertThat(page.closed).isFalse();
        assertThat(page.enrolled).hasSizeLessThan(page.seats);
        assertThat(coursesOf(in.student())).isLessThan(limit);
        if (page.line.contains(in.student())) {
            assertThat(next).isEqualTo(new StudentLeftWaitingList(in.student(), in.course()));
            assertThat(firstWhoMay(page)).contains(in.student());
            promotions++;
        } else {
            assertThat(page.line).isEmpty();
        }
        assertThat(page.enrolled.add(in.student())).isTrue();
    }

    private void join(StudentJoinedWaitingList joined) {
        Page page = page(joined.course());
        assertThat(page.closed).isFalse();
        assertThat(page.enrolled.size() >= page.seats || !page.line.isEmpty()).isTrue();
        assertThat(page.enrolled).doesNotContain(joined.student());
        assertThat(page.line).doesNotContain(joined.student());
        page.line.add(joined.student());
    }

    /** No student waits who could have a seat now. */
    void assertNoStudentForgotten() {
        pages.forEach((course, page) -> {
            if (!page.closed && page.enrolled.size() < page.seats) {
                assertThat(firstWhoMay(page)).as("line of %s", course).isEmpty();
            }
        });
    }

    private Optional<StudentId> firstWhoMay(Page page) {
        return page.line.stream()
                .filter(student -> !page.enrolled.contains(student) && coursesOf(student) < limit)
                .findFirst();
    }

    private long coursesOf(StudentId student) {
        return pages.values().stream()
                .filter(page -> page.enrolled.contains(student))
                .count();
    }

    private Page page(CourseId course) {
        Page page = pages.get(course);
        if (page == null) {
            throw new AssertionError("%s was never defined".formatted(course));
        }
        return page;
    }
}
