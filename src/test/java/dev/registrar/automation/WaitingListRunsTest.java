package dev.registrar.automation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.registrar.decision.Decision;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.ChangeWindow;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollByOverride;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.Tier;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random semesters, each determined by its seed, whose logs are checked against a model of the rules. */
class WaitingListRunsTest {
    private static final int COMMANDS = 300;
    private static final EnrollmentWindow LONG_OVER = new EnrollmentWindow(null, Instant.parse("2000-01-01T00:00:00Z"));
    private static final List<WeeklyTimes> TIMES = List.of(
            WeeklyTimes.of("Mon 10:00-12:00"), WeeklyTimes.of("Mon 11:00-13:00; Tue 9:00-10:00"), WeeklyTimes.NONE);
    private static final int LIMIT = 2;
    private static final int COURSES = 4;
    private static final int STUDENTS = 12;

    /* The first seed; the others belong to the thorough tests. */
    @ParameterizedTest
    @EnumSource
    void the_rules_hold(Run run) {
        run.check.accept(1L);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5})
    void the_rules_hold_in_other_semesters(long seed) {
        for (Run run : Run.values()) {
            assertThatCode(() -> run.check.accept(seed)).as(run.name()).doesNotThrowAnyException();
        }
    }

    /** How the automation reacts to the commands of a semester, and what must hold then. */
    enum Run {
        WITH_A_REACTION_AFTER_EACH_COMMAND(WaitingListRunsTest::reactingAfterEachCommand),
        WITH_LATE_REACTIONS(WaitingListRunsTest::reactingLate),
        REACTING_TO_EVENTS_TOGETHER(WaitingListRunsTest::reactingTogether),
        REACTING_TWICE_TO_EACH_EVENT(WaitingListRunsTest::reactingTwice),
        REACTING_AGAIN_TO_ALL_EVENTS(WaitingListRunsTest::reactingAgain),
        WITH_A_STORE_THAT_SOMETIMES_FAILS(WaitingListRunsTest::failingSometimes);

        @SuppressWarnings("ImmutableEnumChecker") // a method without a state
        private final LongConsumer check;

        Run(LongConsumer check) {
            this.check = check;
        }
    }

    private static void reactingAfterEachCommand(long seed) {
        Semester semester = new Semester(LIMIT);

        run(semester, seed, random -> semester.react(1));

        assertKept(semester);
    }

    /* Commands come faster than reactions. */
    private static void reactingLate(long seed) {
        Semester semester = new Semester(LIMIT);

        run(semester, seed, random -> {
            if (random.nextInt(8) == 0) {
                semester.react(1);
            }
        });
        semester.react(1);

        assertKept(semester);
    }

    private static void reactingTogether(long seed) {
        Semester semester = new Semester(LIMIT);

        run(semester, seed, random -> {
            if (random.nextInt(8) == 0) {
                semester.reactTogether();
            }
        });
        semester.reactTogether();

        assertKept(semester);
    }

    private static void reactingTwice(long seed) {
        Semester once = new Semester(LIMIT);
        Semester twice = new Semester(LIMIT);

        run(once, seed, random -> once.react(1));
        run(twice, seed, random -> twice.react(2));

        assertThat(twice.log()).isEqualTo(once.log());
    }

    private static void reactingAgain(long seed) {
        Semester semester = new Semester(LIMIT);
        run(semester, seed, random -> semester.react(1));
        List<EnrollmentEvent> log = semester.log();

        semester.reactAgain();

        assertThat(semester.log()).isEqualTo(log);
    }

    /* Every third append of the automation fails, half of these after it was stored. */
    private static void failingSometimes(long seed) {
        Semester semester = new Semester(LIMIT);
        SplittableRandom failures = new SplittableRandom(-seed);
        semester.beforeAppend(request -> {
            int chance = failures.nextInt(6);
            if (chance == 0) {
                throw new StoreUnavailableException("gone");
            }
            if (chance == 1) {
                semester.store().append(request);
                throw new OutcomeUnknownException("lost");
            }
            return request;
        });

        run(semester, seed, random -> semester.reactUntilDone());

        assertKept(semester);
    }

    private interface Reaction {
        void after(SplittableRandom random);
    }

    private static void run(Semester semester, long seed, Reaction reaction) {
        SplittableRandom random = new SplittableRandom(seed);
        List<CourseId> courses = new ArrayList<>();
        for (int i = 0; i < COURSES; i++) {
            courses.add(semester.course("course-" + i, random.nextInt(1, 4)));
        }
        List<StudentId> students = semester.students(STUDENTS);
        for (int i = 0; i < COMMANDS; i++) {
            CourseId course = courses.get(random.nextInt(COURSES));
            semester.give(
                    random.nextInt(100) == 0
                            ? requiring(random, course, courses)
                            : command(random, course, students.get(random.nextInt(STUDENTS))));
            reaction.after(random);
        }
    }

    /* Nothing, or another course; a cycle is refused. */
    private static ChangePrerequisites requiring(SplittableRandom random, CourseId course, List<CourseId> courses) {
        Prerequisites prerequisites = random.nextInt(3) > 0
                ? Prerequisites.NONE
                : new Prerequisites(Set.of(courses.get(random.nextInt(courses.size()))));
        return new ChangePrerequisites(course, prerequisites, Set.copyOf(courses));
    }

    private static Decision<EnrollmentEvent, ?> command(SplittableRandom random, CourseId course, StudentId student) {
        int chance = random.nextInt(1_000);
        if (chance < 30) {
            return new EnrollByOverride(student, course, new OverrideReason("Retakes the course"));
        } else if (chance < 250) {
            return new EnrollStudent(student, course, LIMIT);
        } else if (chance < 600) {
            return new JoinWaitingList(student, course);
        } else if (chance < 850) {
            return new DropStudent(student, course);
        } else if (chance < 900) {
            return new LeaveWaitingList(student, course);
        } else if (chance < 920) {
            return new ChangeTimes(course, TIMES.get(random.nextInt(TIMES.size())));
        } else if (chance < 960) {
            return new ChangeTier(student, random.nextBoolean() ? Tier.BASIC : Tier.STANDARD);
        } else if (chance < 980) {
            return new ChangeCapacity(course, new Capacity(random.nextInt(1, 5)));
        }
        return chance < 999
                ? new ChangeWindow(course, random.nextInt(4) > 0 ? EnrollmentWindow.ALWAYS : LONG_OVER)
                : new CloseCourse(course);
    }

    private static void assertKept(Semester semester) {
        Register register = new Register(LIMIT);
        register.enter(semester.log());
        assertThat(register.promotions()).as("promotions").isPositive();
        assertThat(register.overrides()).as("overrides").isPositive();
        register.assertNoStudentForgotten();
    }
}
