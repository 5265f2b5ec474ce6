package dev.registrar.benchmarks.plain;

import static dev.registrar.benchmarks.plain.HttpConnection.request;

import dev.registrar.Api;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.benchmarks.ServiceProcess;
import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does event sourcing cost here? The service's requests beside the same ones on {@link PlainTables}
 * ({@code plain/…}) and beside its empty request ({@code http/…}), and their 99th percentile at 60 % of their rate
 * ({@code steady/…}).
 *
 * <p>One process of the service with a million events serves all rows of a run, so its code is compiled. Each caller
 * has a connection. An unexpected answer fails the row, and after each measurement both sides must have exactly the
 * enrollments and events that were acknowledged.
 */
public class HttpBenchmarks {
    private static final String EMPTY = "http/empty callers=100";
    private static final String STEADY = "part=0.6";
    private static final int SEATS = 10;

    /** The side that is measured: the service or the plain tables in it. */
    @State(Scope.Benchmark)
    public static class Side {
        private static final String ENROLLMENTS = "{\"items\": [{\"types\": [\"StudentEnrolledInCourse\"]}]}";
        private static final String ALL = "{\"items\": []}";

        @Param("service")
        String side = "";

        private final AtomicInteger acknowledged = new AtomicInteger();
        private final MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        private Api api;
        private long before;
        private String[] headers = {};

        /** Fills the plain tables at their first use. */
        @Setup
        public void open() {
            api = new Api(ServiceProcess.portOfThisProcess());
            if (side.equals("tables")) {
                headers = new String[] {PlainTables.HEADER, "yes"};
                if (database.number("select count(*) from plain.students") == 0) {
                    database.execute(PlainTables.FILL);
                    database.execute(PlainTables.ENROLL);
                    database.execute("vacuum analyze plain.courses, plain.students, plain.enrollments");
                }
            }
            before = stored();
        }

        private boolean isPlain() {
            return headers.length > 0;
        }

        private long stored() {
            return isPlain() ? database.number("select count(*) from plain.enrollments") : count(ALL);
        }

        private long count(String query) {
            return api.post("/dcb/read", "{\"count\": true, \"query\": %s}".formatted(query))
                    .expect(200)
                    .json()
                    .path("numberOfMatchingEvents")
                    .asLong();
        }

        /** Defines a course that is not in the data set. */
        CourseId define(int seats) {
            CourseId course = new CourseId("wanted-" + UUID.randomUUID());
            if (isPlain()) {
                database.execute("insert into plain.courses (id, title, capacity) values ('%s', 'Wanted', %s)"
                        .formatted(course, seats));
            } else {
                String json = "{\"id\": \"%s\", \"title\": \"Wanted\", \"capacity\": %s}".formatted(course, seats);
                api.post("/api/courses", json).expect(201);
                acknowledged.incrementAndGet();
            }
            return course;
        }

        byte[] enroll(int student, CourseId course) {
            return request("PUT", enrollment(student, course), "", headers);
        }

        /** Enrolls a student outside the measurement. */
        void enrollFirst(int student, CourseId course) {
            stored(api.put(enrollment(student, course), "", headers).expect(201).status());
        }

        private static String enrollment(int student, CourseId course) {
            return "/api/courses/%s/students/%s".formatted(course, DataSet.student(student));
        }

        byte[] get(String path) {
            return request("GET", path, "", headers);
        }

        int students() {
            return database.contents().students();
        }

        int anyStudent() {
            return random(students());
        }

        CourseId anyCourse() {
            return DataSet.course(random(database.contents().courses()));
        }

        private static int random(int most) {
            return ThreadLocalRandom.current().nextInt(most) + 1;
        }

        /** Counts an enrollment or event that was acknowledged. */
        int stored(int status) {
            acknowledged.incrementAndGet();
            return status;
        }

        /** Every acknowledged change is stored once, and the counters of the plain tables and of the view are right. */
        @TearDown
        public void check() {
            ServiceProcess.awaitViews();
            long found = stored();
            expect("events or enrollments", before + acknowledged.get(), found);
            if (isPlain()) {
                expect("counted seats", found, database.number("select sum(enrolled) from plain.courses"));
                expect("counted courses", found, database.number("select sum(courses) from plain.students"));
                expect(
                        "courses above their capacity",
                        0,
                        database.number("select count(*) from plain.courses where enrolled > capacity"));
            } else {
                expect(
                        "seats in the service's view",
                        count(ENROLLMENTS),
                        api.get("/api/seats")
                                .expect(200)
                                .json()
                                .path("enrolled")
                                .asLong());
            }
        }

        private static void expect(String what, long expected, long found) {
            if (found != expected) {
                throw new IllegalStateException("There are %s %s but should be %s".formatted(found, what, expected));
            }
        }
    }

    /** A conditional append that the service only parses and answers. */
    @Row(value = "http/empty dataset=large callers=100", served = true)
    @Benchmark
    public int empty(HttpConnection connection) throws IOException {
        return connection.send(appendUnlessThere("/load-test/empty"), 200);
    }

    @Row(value = "http/append-if dataset=large callers=100", served = true, by = EMPTY)
    @Row(value = "steady/append-if dataset=large callers=100", served = true, with = STEADY, by = "http/append-if")
    @Benchmark
    public int appendIf(Side side, HttpConnection connection) throws IOException {
        return side.stored(connection.send(appendUnlessThere("/dcb/append"), 200));
    }

    private static byte[] appendUnlessThere(String path) {
        return request("POST", path, """
                {"events": [{"type": "UserCreated", "tags": ["user:%1$s"], "data": "{}"}],
                 "condition": {"failIfEventsMatch": {"items": [{"types": ["UserCreated"], "tags": ["user:%1$s"]}]}}}""".formatted(UUID.randomUUID()));
    }

    /** A random student in a random course; few are enrolled already. */
    @Row(value = "http/enroll dataset=large callers=100", served = true, by = EMPTY)
    @Row(value = "steady/enroll dataset=large callers=100", served = true, with = STEADY, by = "http/enroll")
    @Row(value = "plain/enroll dataset=large side=tables,service callers=100", served = true, by = "side=tables")
    @Benchmark
    public int enroll(Side side, HttpConnection connection) throws IOException {
        int status = connection.send(side.enroll(side.anyStudent(), side.anyCourse()), 201, 200);
        return status == 201 ? side.stored(status) : status;
    }

    /** A new course that has room for all, and its students. */
    @State(Scope.Benchmark)
    public static class HotCourse {
        private final AtomicInteger students = new AtomicInteger();
        private CourseId course;

        @Setup
        public void define(Side side) {
            course = side.define(Capacity.MAX);
        }

        int next(Side side) {
            int student = students.incrementAndGet();
            if (student > side.students()) {
                throw new IllegalStateException(
                        "All %s students are in the course: measure for a shorter time".formatted(side.students()));
            }
            return student;
        }
    }

    /** All students want the same course. */
    @Row(value = "plain/hot-course dataset=large side=tables,service callers=16,100", served = true, by = "side=tables")
    @Benchmark
    public int hotCourse(Side side, HotCourse hot, HttpConnection connection) throws IOException {
        return side.stored(connection.send(side.enroll(hot.next(side), hot.course), 201));
    }

    /** A new course whose 10 seats are taken. */
    @State(Scope.Benchmark)
    public static class FullCourse {
        private CourseId course;

        @Setup
        public void fill(Side side) {
            course = side.define(SEATS);
            for (int student = 1; student <= SEATS; student++) {
                side.enrollFirst(student, course);
            }
        }
    }

    /** Every request is refused. */
    @Row(value = "plain/full-course dataset=large side=tables,service callers=100", served = true, by = "side=tables")
    @Benchmark
    public int fullCourse(Side side, FullCourse full, HttpConnection connection) throws IOException {
        return connection.send(side.enroll(Math.max(SEATS + 1, side.anyStudent()), full.course), 409);
    }

    @Row(value = "http/look-up dataset=large callers=100", served = true, by = EMPTY)
    @Row(value = "steady/look-up dataset=large callers=100", served = true, with = STEADY, by = "http/look-up")
    @Row(value = "plain/look-up dataset=large side=tables,service callers=100", served = true, by = "side=tables")
    @Benchmark
    public int lookUp(Side side, HttpConnection connection) throws IOException {
        return connection.send(side.get("/api/courses/" + side.anyCourse()), 200);
    }

    /** The events of a student, 6 on average. */
    @Row(value = "http/read dataset=large callers=100", served = true, by = EMPTY)
    @Row(value = "steady/read dataset=large callers=100", served = true, with = STEADY, by = "http/read")
    @Benchmark
    public int read(Side side, HttpConnection connection) throws IOException {
        String query = "{\"items\": [{\"tags\": [\"student:%s\"]}]}".formatted(DataSet.student(side.anyStudent()));
        return connection.send(side.get("/dcb/read?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8)), 200);
    }

    /** The first page of a course's students. */
    @Row(value = "http/roster dataset=large callers=16", served = true, by = EMPTY)
    @Row(value = "steady/roster dataset=large callers=100", served = true, with = STEADY, by = "http/roster callers=16")
    @Benchmark
    public int roster(Side side, HttpConnection connection) throws IOException {
        return connection.send(side.get("/api/courses/%s/students?limit=50".formatted(side.anyCourse())), 200);
    }

    /** The first page of the courses that a search finds. */
    @Row(value = "http/search dataset=large callers=16", served = true, by = EMPTY)
    @Row(value = "steady/search dataset=large callers=100", served = true, with = STEADY, by = "http/search callers=16")
    @Benchmark
    public int search(Side side, HttpConnection connection) throws IOException {
        int number = ThreadLocalRandom.current().nextInt(10, 100);
        return connection.send(side.get("/api/courses?limit=50&search=course%20" + number), 200);
    }
}
