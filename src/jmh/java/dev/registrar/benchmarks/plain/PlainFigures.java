package dev.registrar.benchmarks.plain;

import static dev.registrar.benchmarks.plain.HttpConnection.request;

import dev.registrar.benchmarks.Benchmarks;
import dev.registrar.benchmarks.plain.Kind.Turn;
import dev.registrar.benchmarks.plain.Kind.Turns;
import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.testdatabase.TestServer;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What does event sourcing cost here? The service's requests beside the same ones on {@link PlainTables}, beside its
 * empty request, and at 60 % of their rate.
 *
 * <p>Both sides have the large data set. The kinds of request take turns, in reverse order in every second round; a
 * ratio is the median over the rounds. Each kind warms up before, and its courses are prepared outside the clock. The
 * CPU time of a turn includes what the views need until they have its events. Any unexpected answer ends the program,
 * and at the end both sides must have exactly the enrollments that were acknowledged. {@code mvn -q
 * process-test-classes exec:exec -Dprogram=plain.PlainFigures} measures all rows, and {@code -Dselect=hot} those whose
 * name contains a match. {@code -Drounds=5 -Dwarmup=8s -Dmeasure=5s} are the defaults. {@code -Dpinned=true} gives the
 * service and PostgreSQL one processor each, and {@code -Dlocks=true} measures how long the lock of appends is held.
 */
public final class PlainFigures {
    private static final int MANY = 100;
    private static final int SEATS = 10;
    private static final double PART = 0.6;
    /** The sizes of machines for which rates are computed from the measured times. */
    private static final int[] PROCESSORS = {2, 8, 32};

    private static final String PLAIN = PlainTables.HEADER + ": yes";

    private static final List<Row> ROWS = List.of(
            Row.byPlain("enroll", 1.0, 1.5),
            Row.byPlain("hot-100", 2.5, 4),
            Row.byPlain("hot-16", 1.2, 2),
            Row.byPlain("full", 5, 10),
            Row.byPlain("look-up", 0.8, 1.0),
            Row.cpu("look-up", 3.5, 2.5),
            Row.cpu("enroll", 5, 4),
            Row.cpu("read", 2.7, 2.2),
            Row.cpu("append-if", 2.2, 1.8),
            Row.cpu("roster", 8, 5),
            Row.cpu("search", 8, 5),
            Row.p99("look-up"),
            Row.p99("enroll"),
            Row.p99("read"),
            Row.p99("append-if"),
            Row.p99("roster"),
            Row.p99("search"));

    private final ServiceProcess service;
    private final DataSet data;
    private final AtomicInteger courses = new AtomicInteger();
    /** Events and enrollments that were stored for the preparation of turns. */
    private final AtomicInteger eventsApart = new AtomicInteger();

    private final AtomicInteger rowsApart = new AtomicInteger();
    private final List<Kind> kinds;

    private enum Measure {
        RATE_BY_PLAIN,
        CPU_BY_EMPTY,
        P99
    }

    /**
     * A row of the result.
     *
     * @param bar the ratio that is good enough, or the milliseconds
     * @param aim the ratio that is wanted, or the milliseconds
     */
    private record Row(String name, Measure measure, String subject, double bar, double aim) {
        static Row byPlain(String subject, double bar, double aim) {
            return new Row(subject + "-by-plain", Measure.RATE_BY_PLAIN, subject, bar, aim);
        }

        static Row cpu(String subject, double bar, double aim) {
            return new Row("cpu-" + subject, Measure.CPU_BY_EMPTY, subject, bar, aim);
        }

        static Row p99(String subject) {
            return new Row("p99-" + subject, Measure.P99, subject, 15, 8);
        }

        List<String> kinds() {
            return switch (measure) {
                case RATE_BY_PLAIN -> List.of(subject, plain());
                case CPU_BY_EMPTY -> List.of("empty", subject);
                case P99 -> List.of(subject);
            };
        }

        String plain() {
            return "plain-" + subject;
        }
    }

    /** The options of a run. */
    private record Options(List<Row> rows, int rounds, long warmUp, long measure) {
        static Options of(String... arguments) {
            Pattern selected = Pattern.compile(String.join(" ", arguments).trim());
            return new Options(
                    ROWS.stream()
                            .filter(row -> selected.matcher(row.name()).find())
                            .toList(),
                    Integer.parseInt(Benchmarks.setting("rounds", "5")),
                    nanoseconds("warmup", "8s"),
                    nanoseconds("measure", "5s"));
        }

        private static long nanoseconds(String name, String otherwise) {
            return TimeValue.fromString(Benchmarks.setting(name, otherwise)).convertTo(TimeUnit.NANOSECONDS);
        }
    }

    public static void main(String... arguments) throws IOException, SQLException {
        Options options = Options.of(arguments);
        if (options.rows().isEmpty()) {
            System.out.println("No such row; the rows are: "
                    + String.join(", ", ROWS.stream().map(Row::name).toList()));
            return;
        }
        DataSet data = DataSet.valueOf(Benchmarks.setting("dataset", "large").toUpperCase(Locale.ROOT));
        TestServer server = TestServer.shared();
        String template = "plain_tables_" + KebabCase.of(data);
        if (!exists(server, template)) {
            prepare(server, data, template);
        }
        String copy = "plain_tables_%s".formatted(ProcessHandle.current().pid());
        execute(server, "create database %s template %s strategy file_copy".formatted(copy, template));
        try (ServiceProcess service = new ServiceProcess(server.urlOf(copy), server.username(), server.password())) {
            new PlainFigures(service, data, options.rows()).measure(options);
        } finally {
            execute(server, "drop database %s with (force)".formatted(copy));
        }
    }

    private static boolean exists(TestServer server, String database) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            return statement
                    .executeQuery("select from pg_database where datname = '%s'".formatted(database))
                    .next();
        }
    }

    private static void execute(TestServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /* A template that the server keeps, so that the next run on the same server begins at once. */
    private static void prepare(TestServer server, DataSet data, String template) throws IOException, SQLException {
        System.out.printf("Preparing the database %s, which takes some minutes%n", template);
        String unready = template + "_unready";
        execute(server, "drop database if exists %s with (force)".formatted(unready));
        execute(server, "create database " + unready);
        try (ServiceProcess service = new ServiceProcess(server.urlOf(unready), server.username(), server.password())) {
            service.send(200, "POST", "/load-test/data?size=" + KebabCase.of(data), "");
            service.awaitViews();
            PlainContents.add(service.database, data.events());
            try (Statement statement = service.database.createStatement()) {
                statement.execute("vacuum analyze");
                statement.execute("checkpoint");
            }
        }
        execute(server, "alter database %s rename to %s".formatted(unready, template));
    }

    private PlainFigures(ServiceProcess service, DataSet data, List<Row> rows) {
        this.service = service;
        this.data = data;
        List<String> needed =
                rows.stream().flatMap(row -> row.kinds().stream()).distinct().toList();
        this.kinds = Stream.of(
                        new Kind("empty", MANY, List.of(200), () -> () -> appendUnlessThere("/load-test/empty")),
                        new Kind("enroll", MANY, List.of(201, 200, 409), randomPairs()),
                        new Kind("plain-enroll", MANY, List.of(201, 200, 409), randomPairs(PLAIN)),
                        new Kind("hot-100", MANY, List.of(201), hotCourse()),
                        new Kind("plain-hot-100", MANY, List.of(201), hotCourse(PLAIN)),
                        new Kind("hot-16", Kind.FEW, List.of(201), hotCourse()),
                        new Kind("plain-hot-16", Kind.FEW, List.of(201), hotCourse(PLAIN)),
                        new Kind("full", MANY, List.of(409), fullCourse()),
                        new Kind("plain-full", MANY, List.of(409), fullCourse(PLAIN)),
                        new Kind("look-up", MANY, List.of(200), () -> () -> get("/api/courses/" + anyCourse())),
                        new Kind(
                                "plain-look-up",
                                MANY,
                                List.of(200),
                                () -> () -> get("/api/courses/" + anyCourse(), PLAIN)),
                        new Kind("read", MANY, List.of(200), () -> () -> get(readOfStudent())),
                        new Kind("append-if", MANY, List.of(200), () -> () -> appendUnlessThere("/dcb/append")),
                        new Kind(
                                "roster",
                                Kind.FEW,
                                List.of(200),
                                () -> () -> get("/api/courses/%s/students?limit=50".formatted(anyCourse()))),
                        new Kind(
                                "search",
                                Kind.FEW,
                                List.of(200),
                                () -> () -> get("/api/courses?limit=50&search=course%20" + random(10, 100))))
                .filter(kind -> needed.contains(kind.name))
                .toList();
    }

    /* The same pairs on both sides. A few of them are enrolled already. */
    private Turns randomPairs(String... headers) {
        AtomicInteger numbers = new AtomicInteger();
        return () -> () -> {
            int number = numbers.incrementAndGet();
            int student = number % data.students() + 1;
            int course = (int) ((number * 31L + number / data.students()) % data.courses()) + 1;
            return enroll(student, DataSet.course(course), headers);
        };
    }

    /* Each turn has a new course that has room for all of its students. */
    private Turns hotCourse(String... headers) {
        return () -> {
            CourseId course = define(Capacity.MAX, headers);
            AtomicInteger students = new AtomicInteger();
            return () -> enroll(students.incrementAndGet(), course, headers);
        };
    }

    /* Each turn has a new course, whose seats are taken before. */
    private Turns fullCourse(String... headers) {
        return () -> {
            CourseId course = define(SEATS, headers);
            AtomicInteger students = new AtomicInteger();
            String[] pairs = Stream.of(headers)
                    .flatMap(header -> Stream.of(header.split(": ")))
                    .toArray(String[]::new);
            while (students.get() < SEATS) {
                service.send(201, "PUT", seat(students.incrementAndGet(), course), "", pairs);
                (headers.length == 0 ? eventsApart : rowsApart).incrementAndGet();
            }
            return () -> enroll(students.incrementAndGet() % data.students() + 1, course, headers);
        };
    }

    private CourseId define(int seats, String... headers) throws IOException, SQLException {
        CourseId course = new CourseId("wanted-" + courses.incrementAndGet());
        if (headers.length > 0) {
            CourseDefined defined =
                    new CourseDefined(course, new CourseTitle("Wanted"), new Capacity(seats), EnrollmentWindow.ALWAYS);
            PlainContents.add(service.database, Stream.of(defined));
        } else {
            service.send(
                    201,
                    "POST",
                    "/api/courses",
                    "{\"id\": \"%s\", \"title\": \"Wanted\", \"capacity\": %s}".formatted(course, seats));
            eventsApart.incrementAndGet();
        }
        return course;
    }

    private static byte[] enroll(int student, CourseId course, String... headers) {
        return request("PUT", seat(student, course), "", headers);
    }

    private static String seat(int student, CourseId course) {
        return "/api/courses/%s/students/%s".formatted(course, DataSet.student(student));
    }

    private static byte[] get(String path, String... headers) {
        return request("GET", path, "", headers);
    }

    private static byte[] appendUnlessThere(String path) {
        String tag = "user:" + UUID.randomUUID();
        return request("POST", path, """
                {"events": [{"type": "UserCreated", "tags": ["%s"], "data": "{}"}],
                 "condition": {"failIfEventsMatch": {"items": [{"types": ["UserCreated"], "tags": ["%s"]}]}}}""".formatted(tag, tag));
    }

    private String readOfStudent() {
        return "/dcb/read?query="
                + URLEncoder.encode(
                        "{\"items\": [{\"tags\": [\"student:%s\"]}]}"
                                .formatted(DataSet.student(random(1, data.students() + 1))),
                        StandardCharsets.UTF_8);
    }

    private CourseId anyCourse() {
        return DataSet.course(random(1, data.courses() + 1));
    }

    private static int random(int from, int to) {
        return ThreadLocalRandom.current().nextInt(from, to);
    }

    private void measure(Options options) throws IOException, SQLException {
        long resident = service.residentMemory();
        long events = events();
        long rows = rows();
        for (Kind kind : kinds) {
            kind.warmUp(service, options.warmUp());
        }
        for (int round = 1; round <= options.rounds(); round++) {
            for (Kind kind : round % 2 == 1 ? kinds : kinds.reversed()) {
                kind.turn(service, options.measure());
            }
        }
        for (int round = 1; round <= options.rounds(); round++) {
            for (Row row : options.rows()) {
                if (row.measure() == Measure.P99) {
                    kind(row.subject()).open(service, MANY, options.measure(), PART);
                }
            }
        }
        print(options, resident);
        checkContents(events, rows);
    }

    private Kind kind(String name) {
        return kinds.stream().filter(kind -> kind.name.equals(name)).findAny().orElseThrow();
    }

    private void print(Options options, long residentAtStart) throws IOException, SQLException {
        System.out.printf(
                "%ncommit %s, %s processors%s, Java %s, %s rounds, warm-up %s s, turns of %s s%n",
                commit(),
                Runtime.getRuntime().availableProcessors(),
                Boolean.getBoolean("pinned") ? ", one each for the service and PostgreSQL" : "",
                System.getProperty("java.runtime.version"),
                options.rounds(),
                options.warmUp() / 1e9,
                options.measure() / 1e9);
        kinds.forEach(System.out::println);
        if (LockShare.MEASURED) {
            kinds.stream()
                    .filter(kind -> kind.median(Turn::locked) > 0)
                    .flatMap(kind -> IntStream.of(PROCESSORS).mapToObj(kind::onPaper))
                    .forEach(System.out::println);
        }
        for (Row row : options.rows()) {
            List<Double> values = values(row);
            System.out.printf(
                    Locale.ROOT,
                    "%-18s %6.2f  (%.2f to %.2f)  bar %s %s, aim %s%n",
                    row.name(),
                    Kind.median(values),
                    values.stream().min(Double::compare).orElseThrow(),
                    values.stream().max(Double::compare).orElseThrow(),
                    row.measure() == Measure.RATE_BY_PLAIN ? "≥" : "≤",
                    row.bar(),
                    row.aim());
        }
        System.out.printf(
                "resident memory of the service: %s MB at its start, %s MB at the end%n",
                residentAtStart, service.residentMemory());
    }

    /* A ratio is that of the turns of the same round. */
    private List<Double> values(Row row) {
        List<Turn> subject = kind(row.subject()).measured;
        return switch (row.measure()) {
            case RATE_BY_PLAIN -> ratios(subject, kind(row.plain()).measured, Turn::perSecond);
            case CPU_BY_EMPTY -> ratios(subject, kind("empty").measured, Turn::cpu);
            case P99 -> kind(row.subject()).p99;
        };
    }

    private static List<Double> ratios(List<Turn> some, List<Turn> others, ToDoubleFunction<Turn> value) {
        return IntStream.range(0, some.size())
                .mapToObj(i -> value.applyAsDouble(some.get(i)) / value.applyAsDouble(others.get(i)))
                .toList();
    }

    private static String commit() throws IOException {
        Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                .redirectError(Redirect.DISCARD)
                .start();
        return String.valueOf(git.inputReader().readLine());
    }

    private long events() throws IOException {
        return number(service.send(200, "POST", "/dcb/read", "{\"count\": true}"), "numberOfMatchingEvents");
    }

    private long rows() throws SQLException {
        return service.count("select count(*) from plain.enrollments");
    }

    private static long number(String json, String field) {
        return Long.parseLong(json.replaceFirst(".*\"%s\":(\\d+).*".formatted(field), "$1"));
    }

    /* Every acknowledged change is stored once, and the counters of the plain tables and of the view are right. */
    private void checkContents(long eventsBefore, long rowsBefore) throws IOException, SQLException {
        long appended = 0;
        long enrolled = rowsBefore + rowsApart.get();
        for (Kind kind : kinds) {
            if (kind.name.startsWith("plain-")) {
                enrolled += kind.answered(201);
            } else {
                appended += kind.answered(201) + (kind.name.equals("append-if") ? kind.answered(200) : 0);
            }
        }
        expect("events", eventsBefore + eventsApart.get() + appended, events());
        expect("rows of enrollments", enrolled, rows());
        expect("counted seats", enrolled, service.count("select sum(enrolled) from plain.courses"));
        expect("counted courses of students", enrolled, service.count("select sum(courses) from plain.students"));
        expect(
                "courses above their capacity",
                0,
                service.count("select count(*) from plain.courses where enrolled > capacity"));
        expect(
                "seats in the service's view",
                number(
                        service.send(
                                200,
                                "POST",
                                "/dcb/read",
                                "{\"count\": true, \"query\": {\"items\": [{\"types\": [\"StudentEnrolledInCourse\"]}]}}"),
                        "numberOfMatchingEvents"),
                number(service.send(200, "GET", "/api/seats", ""), "enrolled"));
        System.out.println("Both sides have exactly the enrollments that were acknowledged");
    }

    private static void expect(String what, long expected, long found) {
        if (found != expected) {
            throw new IllegalStateException("There are %s %s but should be %s".formatted(found, what, expected));
        }
    }
}
