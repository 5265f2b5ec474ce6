package dev.registrar.benchmarks;

import dev.registrar.dataset.DataSet;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** A caller with its own random numbers and its own new students. */
@State(Scope.Thread)
public class Caller {
    private static final long SEED = 20_261_101L;
    private static final int FIRST_BESIDE_JMH = 1_000;
    private static final String METADATA = "{\"correlationId\":\"00000000-0000-4000-8000-000000000002\"}";

    public SplittableRandom random;
    private Contents contents;
    private String name;
    private int callers;
    private int newStudents;

    /** Initialises the caller of this thread. */
    @Setup
    public void setUp(ThreadParams thread) {
        setUp(thread.getThreadIndex(), thread.getThreadCount());
    }

    /** Creates callers beside those of JMH. */
    public static List<Caller> numbered(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> {
                    Caller caller = new Caller();
                    caller.setUp(FIRST_BESIDE_JMH + number, count);
                    return caller;
                })
                .toList();
    }

    private void setUp(int number, int all) {
        random = new SplittableRandom(SEED + number);
        contents = MeasuredDatabase.ofThisProcess().contents();
        name = "caller-" + number;
        callers = all;
    }

    /** The number of callers that call with this one. */
    public int callers() {
        return callers;
    }

    /** The number of a random course of the data set, from 1. */
    public int course() {
        return random.nextInt(1, contents.courses() + 1);
    }

    /** The number of a random student of the data set, from 1. */
    public int student() {
        return random.nextInt(1, contents.students() + 1);
    }

    /** An enrollment of a student that is new to the store, in a random course. */
    public Event newStudentEnrolled() {
        return enrolled(DataSet.course(course()).value(), "%s-%s".formatted(name, ++newStudents));
    }

    /** A tag that no event has. */
    public String newTag() {
        return "new:" + name + "-" + ++newStudents;
    }

    /** An enrollment, with about 100 bytes of payload and 60 bytes of metadata. */
    public static Event enrolled(String course, String student) {
        return Event.of(
                        "StudentEnrolledInCourse",
                        List.of(new Tag("course:" + course), new Tag("student:" + student)),
                        "{\"studentId\":\"" + student + "\",\"courseId\":\"" + course
                                + "\",\"enrolledBy\":\"the course office, second floor\"}")
                .withMetadata(METADATA);
    }
}
