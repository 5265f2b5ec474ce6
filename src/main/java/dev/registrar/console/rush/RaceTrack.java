package dev.registrar.console.rush;

import static dev.registrar.console.rush.Race.SEATS;
import static dev.registrar.console.rush.Race.STUDENTS;

import dev.registrar.console.rush.Race.Answer;
import dev.registrar.console.rush.Race.Finish;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Contended;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollStudent.Refused;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;

/** A store of its own with one course of {@value Race#SEATS} seats and {@value Race#STUDENTS} students. */
final class RaceTrack {
    /** In the race without conditions, this number of students decide before one of them has appended. */
    static final int TOGETHER = 40;

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final CourseId COURSE = new CourseId("rush");
    private static final RetryBounds BOUNDS = new RetryBounds(
            Duration.ofSeconds(20),
            RetryBounds.DEFAULT.attempts(),
            RetryBounds.DEFAULT.shortestPause(),
            RetryBounds.DEFAULT.longestPause());

    /** A race did not end in time, because the database or this process is too busy. */
    static final class SlowRaceException extends RuntimeException {
        SlowRaceException(String message) {
            super(message);
        }
    }

    /** What a student does in a race. */
    private interface Runner<T> {
        T run(int student) throws InterruptedException;
    }

    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final DecisionLoop<EnrollmentEvent> office;

    RaceTrack(EventStore store, EnrollmentEventCodec codec) {
        this.store = store;
        this.codec = codec;
        this.office = loop(store);
    }

    private DecisionLoop<EnrollmentEvent> loop(EventStore on) {
        return new DecisionLoop<>(on, codec, BOUNDS, 0, InstantSource.system());
    }

    /** Defines the course and registers the students. */
    void prepare() throws InterruptedException {
        require(office.execute(
                new DefineCourse(COURSE, new CourseTitle("The rush"), new Capacity(SEATS), EnrollmentWindow.ALWAYS)));
        together(number -> office.execute(new RegisterStudent(
                        student(number),
                        new StudentName("Student %s".formatted(number + 1)),
                        new EmailAddress("student-%s@example.org".formatted(number)))))
                .forEach(RaceTrack::require);
    }

    private static void require(Outcome<EnrollmentEvent, ?> outcome) {
        if (!(outcome instanceof Accepted<EnrollmentEvent, ?>)) {
            throw new SlowRaceException("The race could not be prepared: %s".formatted(outcome));
        }
    }

    private static StudentId student(int number) {
        return new StudentId("student-%s".formatted(number));
    }

    private static EnrollStudent enrollment(int number) {
        return new EnrollStudent(student(number), COURSE, 1);
    }

    /** All students enroll at the same moment, as in the service. */
    Race withCondition() throws InterruptedException {
        return race(number -> office.execute(enrollment(number)));
    }

    /**
     * The same, but the store ignores the conditions. Each student has a decision loop of its own, as in a process of
     * its own: decisions of one process for one course wait for each other. The first {@value #TOGETHER} students
     * decide before one of them has appended, and the others after that.
     */
    Race withoutCondition() throws InterruptedException {
        CountDownLatch decided = new CountDownLatch(TOGETHER);
        CountDownLatch appended = new CountDownLatch(TOGETHER);
        ProxyFactory withoutConditions = new ProxyFactory(EventStore.class, (MethodInterceptor) call -> {
            if (call.getArguments().length == 0 || !(call.getArguments()[0] instanceof Append request)) {
                return call.proceed();
            }
            decided.countDown();
            decided.await();
            AppendResult result = store.append(Append.of(request.events()).by(request.actor()));
            appended.countDown();
            return result;
        });
        withoutConditions.setTarget(store);
        EventStore unchecked = (EventStore) withoutConditions.getProxy();
        return race(number -> {
            if (number >= TOGETHER) {
                appended.await();
            }
            return loop(unchecked).execute(enrollment(number));
        });
    }

    private static Answer answer(Outcome<EnrollmentEvent, Refusal> outcome) {
        return switch (outcome) {
            case Accepted<EnrollmentEvent, Refusal> accepted -> Answer.ENROLLED;
            case Rejected<EnrollmentEvent, Refusal>(Refusal reason, String explanation) ->
                reason == Refused.COURSE_FULL ? Answer.FULL : Answer.FAILED;
            case Contended<EnrollmentEvent, Refusal> contended -> Answer.FAILED;
        };
    }

    private Race race(Runner<Outcome<EnrollmentEvent, Refusal>> student) throws InterruptedException {
        ConcurrentLinkedQueue<Finish> finishes = new ConcurrentLinkedQueue<>();
        long start = System.nanoTime();
        together(number -> finishes.add(new Finish(number, answer(student.run(number)))));
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        long stored = store.count(Query.of(EnrollmentEventCodec.types(StudentEnrolledInCourse.class)
                .tagged(COURSE.tag().value())));
        return new Race(List.copyOf(finishes), took, stored);
    }

    /* Each student has a thread, and all begin at the same moment. */
    private static <T> List<T> together(Runner<T> student) throws InterruptedException {
        CyclicBarrier start = new CyclicBarrier(STUDENTS);
        List<Callable<T>> students = IntStream.range(0, STUDENTS)
                .<Callable<T>>mapToObj(number -> () -> {
                    start.await();
                    return student.run(number);
                })
                .toList();
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> result : threads.invokeAll(students, DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
                if (result.isCancelled()) {
                    throw new SlowRaceException("The race took longer than %s".formatted(DEADLINE));
                }
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException reason) {
                throw reason;
            }
            throw new IllegalStateException(failure);
        }
    }
}
