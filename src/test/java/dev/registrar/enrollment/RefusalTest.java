package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The codes are part of the API: a code listed here never changes. */
class RefusalTest {
    private static final List<Refusal> REFUSALS = Stream.<Refusal[]>of(
                    ChangeCapacity.Refused.values(),
                    ChangeEmail.Refused.values(),
                    ChangeName.Refused.values(),
                    ChangePrerequisites.Refused.values(),
                    ChangeTier.Refused.values(),
                    ChangeTitle.Refused.values(),
                    ChangeWindow.Refused.values(),
                    ChangeTimes.Refused.values(),
                    CloseCourse.Refused.values(),
                    DefineCourse.Refused.values(),
                    DropStudent.Refused.values(),
                    EndWaitingList.Refused.values(),
                    EnrollByOverride.Refused.values(),
                    EnrollStudent.Refused.values(),
                    EraseStudent.Refused.values(),
                    JoinWaitingList.Refused.values(),
                    LeaveWaitingList.Refused.values(),
                    PromoteFromWaitingList.Refused.values(),
                    RegisterStudent.Refused.values(),
                    SwapCourse.Refused.values())
            .flatMap(Stream::of)
            .toList();

    @Test
    void every_refusal_has_a_stable_code() {
        assertThat(REFUSALS.stream().map(Refusal::code).distinct())
                .containsExactlyInAnyOrder(
                        "already-enrolled",
                        "already-waiting",
                        "capacity-below-enrolled",
                        "capacity-unchanged",
                        "course-already-closed",
                        "course-closed",
                        "course-full",
                        "course-id-taken",
                        "course-not-closed",
                        "course-not-full",
                        "course-unknown",
                        "email-taken",
                        "email-unchanged",
                        "line-is-longer",
                        "name-unchanged",
                        "nobody-to-promote",
                        "not-enrolled",
                        "not-enrolled-in-other",
                        "not-waiting",
                        "outside-enrollment-window",
                        "other-courses-changed",
                        "prerequisite-cycle",
                        "prerequisite-missing",
                        "prerequisite-undefined",
                        "prerequisites-unchanged",
                        "required-courses-changed",
                        "student-at-limit",
                        "student-at-waiting-limit",
                        "student-id-taken",
                        "student-unknown",
                        "tier-unchanged",
                        "title-unchanged",
                        "times-clash",
                        "times-unchanged",
                        "too-many-courses-to-compare",
                        "too-many-required-courses",
                        "waiting-list-empty",
                        "waiting-list-full",
                        "waiting-list-not-empty",
                        "window-unchanged");
    }

    @Test
    void only_a_refusal_for_changed_courses_is_outdated() {
        assertThat(REFUSALS.stream().filter(Refusal::isOutdated))
                .containsExactly(
                        ChangePrerequisites.Refused.REQUIRED_COURSES_CHANGED,
                        PromoteFromWaitingList.Refused.OTHER_COURSES_CHANGED);
    }

    @Test
    void only_a_refusal_for_an_unknown_course_or_student_is_unknown() {
        assertThat(REFUSALS.stream()
                        .filter(Refusal::isAboutUnknown)
                        .map(Refusal::code)
                        .distinct())
                .containsExactlyInAnyOrder("course-unknown", "student-unknown");
    }
}
