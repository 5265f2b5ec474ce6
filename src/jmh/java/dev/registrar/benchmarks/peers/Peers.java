package dev.registrar.benchmarks.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.Benchmarks;
import dev.registrar.benchmarks.Circumstances;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.report.Results;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.options.TimeValue;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * How fast is this store beside others? Each store runs the same workloads on the same 305,000 events, with durable
 * commits, between two runs of a bare insert. {@code decide} makes courses longer, so each of its measurements has a
 * store of its own. {@code benchmarks/peers/run} builds the clients of the others and starts this program;
 * benchmarks/peers/README.md describes the workloads.
 *
 * <p>The environment names the programs of the others that this machine can run: {@code PEERS_UMADB_SERVER} and
 * {@code PEERS_UMADB}, and {@code PEERS_DISINTEGRATE}, whose store is in this program's PostgreSQL. The argument is a
 * regular expression for the measurements, such as {@code umadb decide 10}.
 */
public final class Peers {
    private static final String OWN = "registrar";
    private static final String UMADB = "umadb";
    private static final String DISINTEGRATE = "disintegrate";
    /** The workloads, each with its place on the page of results. */
    private static final Map<String, String> WORKLOADS = new LinkedHashMap<>();

    static {
        WORKLOADS.put("append", "beside-append-if/%s, without a condition callers=%s");
        WORKLOADS.put("append-unless-exists", "beside-append-if/%s, with a condition callers=%s");
        WORKLOADS.put("decide", "beside-decide/%s callers=%s");
        WORKLOADS.put("fold", "beside-read/%s, fold a course's 51 events callers=%s");
    }

    private static final Map<String, String> NAMES =
            Map.of(UMADB, "UmaDB 0.7.8", DISINTEGRATE, "disintegrate 4.0.1", OWN, "ours in turns with them");
    private static final Path FOLDER = Path.of("target", "benchmarks").toAbsolutePath();
    private static final Path FILE = FOLDER.resolve("peers.json");
    private static final int[] CALLERS = {1, 10, 100};
    private static final int INSERTING_CONNECTIONS = 32;
    private static final String LOAD = "load";
    private static final int INSERT_WARM_UP = 2;
    /** The second warm-up of this store's workloads that read: its JVM needs longer to compile them. */
    private static final int LATER = 15;

    private static final String AFTER = " after %s s".formatted(LATER);

    private final Pattern selected;
    private final long warmUp = seconds("warmup", "5s");
    private final long measured = seconds("measure", "3s");
    private final int rounds = Integer.parseInt(Benchmarks.setting("rounds", "1"));
    /** In the form of JMH's, for the table and the pages. */
    private final List<ObjectNode> results = new ArrayList<>();

    /** A workload of a store with a number of callers. */
    private record Cell(String store, String workload, int callers) {
        String name() {
            return "%s %s %s".formatted(store, workload, callers);
        }

        String row(String after) {
            return Objects.requireNonNull(WORKLOADS.get(workload)).formatted(NAMES.get(store) + after, callers);
        }

        /** UmaDB's row, for the store of this project. */
        String baseline() {
            return store.equals(OWN) ? new Cell(UMADB, workload, callers).row("") : "";
        }

        boolean growsCourses() {
            return workload.equals("decide");
        }
    }

    private Peers(String... arguments) {
        selected = Pattern.compile(String.join(" ", arguments).trim());
    }

    public static void main(String... arguments) throws IOException, InterruptedException, SQLException {
        Peers peers = new Peers(arguments);
        Files.createDirectories(FOLDER);
        if (Files.getFileStore(FOLDER).type().equals("tmpfs")) {
            throw new IllegalStateException(
                    "%s is in memory (tmpfs), where commits wait for no disk; build on a disk".formatted(FOLDER));
        }
        // The embedded server has its data there, as UmaDB has.
        System.setProperty(
                "registrar.test.database.folder",
                Files.createTempDirectory(FOLDER, "postgres").toString());
        try (PreparedDatabases databases = new PreparedDatabases(false);
                TestDatabase inserts = TestDatabase.create()) {
            Map<String, String> circumstances = Circumstances.of(
                    databases,
                    Map.of(
                            "rounds", Integer.toString(peers.rounds),
                            "warm-up", peers.warmUp + " s",
                            "measured", peers.measured + " s"));
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            for (int round = 1; round <= peers.rounds; round++) {
                peers.round(inserts);
                new Results(List.of()).with(circumstances, peers.results).write(FILE);
            }
        }
        Results found = Results.read(FILE);
        System.out.print(found.table(found.rows().keySet()));
        System.out.println("The results for the pages: " + FILE);
    }

    private static long seconds(String name, String otherwise) {
        return TimeValue.fromString(Benchmarks.setting(name, otherwise)).convertTo(TimeUnit.SECONDS);
    }

    private void round(TestDatabase inserts) throws IOException, InterruptedException, SQLException {
        insert(inserts);
        for (String store : List.of(UMADB, DISINTEGRATE, OWN)) {
            List<Cell> cells = WORKLOADS.keySet().stream()
                    .flatMap(workload -> IntStream.of(CALLERS).mapToObj(callers -> new Cell(store, workload, callers)))
                    .filter(cell -> selected.matcher(cell.name()).find())
                    .toList();
            if (cells.isEmpty() || (!store.equals(OWN) && program(store).isEmpty())) {
                continue;
            }
            List<Cell> together =
                    cells.stream().filter(cell -> !cell.growsCourses()).toList();
            if (!together.isEmpty()) {
                measureIn(store, together);
            }
            for (Cell alone : cells.stream().filter(Cell::growsCourses).toList()) {
                measureIn(store, List.of(alone));
            }
            insert(inserts);
        }
    }

    private static String program(String name) {
        return System.getenv().getOrDefault("PEERS_" + name.toUpperCase(Locale.ROOT), "");
    }

    /* In a new store, after the load. */
    private void measureIn(String store, List<Cell> cells) throws IOException, InterruptedException, SQLException {
        switch (store) {
            case UMADB -> umaDb(cells);
            case DISINTEGRATE -> disintegrate(cells);
            default -> own(cells);
        }
    }

    private void insert(TestDatabase database) throws SQLException {
        try (HikariDataSource pool = database.pool(INSERTING_CONNECTIONS)) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("""
                        create table if not exists bare_events (
                            id bigint generated always as identity primary key,
                            type text not null,
                            tags text[] not null,
                            payload text not null
                        )""");
            }
            for (int callers : CALLERS) {
                add(
                        "beside-insert/bare insert callers=%s".formatted(callers),
                        "",
                        callers,
                        Calling.rates(callers, () -> insert(pool), measured, INSERT_WARM_UP)
                                .getFirst());
            }
        }
    }

    private static void insert(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("insert into bare_events (type, tags, payload) values (?, ?, ?)")) {
            statement.setString(1, "UserCreated");
            statement.setObject(2, new String[] {"user:" + UUID.randomUUID()});
            statement.setString(3, "{}");
            statement.executeUpdate();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void own(List<Cell> cells) throws IOException, InterruptedException, SQLException {
        try (TestDatabase own = TestDatabase.create()) {
            StoreSchema.migrate(own.dataSource(), "registrar");
            String[] client = {
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "-classpath",
                System.getProperty("java.class.path"),
                OwnStore.class.getName(),
                own.url(),
                own.username()
            };
            run(own.password(), client, LOAD);
            analyze(own);
            measure(cells, own.password(), client);
        }
    }

    private void umaDb(List<Cell> cells) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(FOLDER, "umadb");
        int port = freePort();
        Process server = new ProcessBuilder(
                        program("umadb_server"), "--listen", "127.0.0.1:" + port, "--db-path", folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
        try {
            awaitServer(server, port);
            String[] client = {program(UMADB), "http://127.0.0.1:" + port};
            run("", client, LOAD);
            measure(cells, "", client);
        } finally {
            server.destroy();
            server.waitFor();
            delete(folder);
        }
    }

    private void disintegrate(List<Cell> cells) throws IOException, InterruptedException, SQLException {
        try (TestDatabase own = TestDatabase.create()) {
            String user =
                    URLEncoder.encode(own.username(), StandardCharsets.UTF_8).replace("+", "%20");
            String address = own.url().replaceFirst("^jdbc:postgresql://", "postgres://%s@".formatted(user));
            String[] client = {program(DISINTEGRATE), address};
            run(own.password(), client, LOAD);
            analyze(own);
            measure(cells, own.password(), client);
        }
    }

    /* As autovacuum does within a minute. */
    private static void analyze(TestDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("vacuum analyze");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static void awaitServer(Process server, int port) {
        while (server.isAlive()) {
            try (Socket probe = new Socket()) {
                probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return;
            } catch (IOException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        throw new IllegalStateException("UmaDB's server has ended");
    }

    /* Each measurement is a process of the client's program. */
    private void measure(List<Cell> cells, String password, String... client) throws IOException, InterruptedException {
        for (Cell cell : cells) {
            boolean twice = cell.store().equals(OWN)
                    && (cell.growsCourses() || cell.workload().equals("fold"));
            List<String> given =
                    new ArrayList<>(List.of(cell.workload(), text(cell.callers()), text(measured), text(warmUp)));
            if (twice) {
                given.add(text(LATER));
            }
            List<Double> found = run(password, client, given.toArray(String[]::new));
            add(cell.row(""), cell.baseline(), cell.callers(), found.getFirst());
            if (twice) {
                add(cell.row(AFTER), cell.baseline(), cell.callers(), found.getLast());
            }
        }
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    /* Each line of a client is a rate. */
    private static List<Double> run(String password, String[] client, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(client), Stream.of(arguments)).toList())
                .redirectError(Redirect.INHERIT);
        builder.environment().put(OwnStore.PASSWORD, password);
        Process process = builder.start();
        List<Double> rates = process.inputReader().lines().map(Double::valueOf).toList();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("%s failed at %s".formatted(client[0], String.join(" ", arguments)));
        }
        return rates;
    }

    /* As JMH has it: the time of a call, in microseconds. */
    private void add(String row, String baseline, int callers, double rate) {
        System.out.printf(Locale.ROOT, "%s: %,.0f/s%n", row, rate);
        ObjectNode result = JsonMapper.shared()
                .createObjectNode()
                .put("row", row)
                .put("by", baseline)
                .put("threads", callers);
        result.putObject("primaryMetric").put("score", callers * 1e6 / rate);
        results.add(result);
    }
}
