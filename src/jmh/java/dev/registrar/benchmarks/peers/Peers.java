package dev.registrar.benchmarks.peers;

import dev.registrar.benchmarks.BenchmarkRow;
import dev.registrar.benchmarks.Benchmarks;
import dev.registrar.benchmarks.Circumstances;
import dev.registrar.benchmarks.Measurement;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.report.Measured;
import dev.registrar.benchmarks.report.Results;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.options.TimeValue;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.util.FileSystemUtils;
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
    private static final String LOAD = "load";
    /** The variable of the environment that has a client's password. */
    private static final String PASSWORD = "PEERS_PASSWORD";

    /** The second warm-up of this store's workloads that read: its JVM needs longer to compile them. */
    private static final int LATER = 15;

    private static final String AFTER = " after %s s".formatted(LATER);

    private final Pattern selected;
    private final PreparedDatabases databases;
    private final List<BenchmarkRow> rows = BenchmarkRow.all();
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

    private Peers(PreparedDatabases databases, String... arguments) {
        this.databases = databases;
        this.selected = Pattern.compile(String.join(" ", arguments).trim());
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        if (Files.getFileStore(FOLDER).type().equals("tmpfs")) {
            throw new IllegalStateException(
                    "%s is in memory (tmpfs), where commits wait for no disk; build on a disk".formatted(FOLDER));
        }
        // The embedded server has its data there, as UmaDB has.
        System.setProperty(
                "registrar.test.database.folder",
                Files.createTempDirectory(FOLDER, "postgres").toString());
        try (PreparedDatabases databases = new PreparedDatabases(true)) {
            Peers peers = new Peers(databases, arguments);
            Map<String, String> circumstances = Circumstances.of(
                    databases,
                    Map.of(
                            "rounds", Integer.toString(peers.rounds),
                            "warm-up", peers.warmUp + " s",
                            "measured", peers.measured + " s"));
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            for (int round = 1; round <= peers.rounds; round++) {
                peers.round();
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

    private void round() throws IOException, InterruptedException {
        insert();
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
            insert();
        }
    }

    private static String program(String name) {
        return System.getenv().getOrDefault("PEERS_" + name.toUpperCase(Locale.ROOT), "");
    }

    /* In a new store, after the load. */
    private void measureIn(String store, List<Cell> cells) throws IOException, InterruptedException {
        switch (store) {
            case UMADB -> umaDb(cells);
            case DISINTEGRATE -> disintegrate(cells);
            default -> cells.forEach(this::own);
        }
    }

    private void insert() {
        for (int callers : CALLERS) {
            ofSuite(
                    "baseline/insert dataset=small",
                    "beside-append-if/bare insert in turns with them callers=" + callers,
                    "",
                    callers,
                    warmUp);
        }
    }

    private void own(Cell cell) {
        String row = "peers/" + cell.workload();
        ofSuite(row, cell.row(""), cell.baseline(), cell.callers(), warmUp);
        if (cell.growsCourses() || cell.workload().equals("fold")) {
            ofSuite(row, cell.row(AFTER), cell.baseline(), cell.callers(), LATER);
        }
    }

    /* A row of the suite, as this program calls it. */
    private void ofSuite(String name, String row, String baseline, int callers, long warmUp) {
        BenchmarkRow found = rows.stream()
                .filter(known -> known.id().equals("%s callers=%s".formatted(name, callers)))
                .findAny()
                .orElseThrow();
        add(new Measurement(found)
                .run(databases, TimeValue.seconds(warmUp), TimeValue.seconds(measured), Double.NaN)
                .put("row", row)
                .put("by", baseline));
    }

    private void umaDb(List<Cell> cells) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(FOLDER, "umadb");
        int port = TestSocketUtils.findAvailableTcpPort();
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
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private void disintegrate(List<Cell> cells) throws IOException, InterruptedException {
        try (TestDatabase own = TestDatabase.create()) {
            String user =
                    URLEncoder.encode(own.username(), StandardCharsets.UTF_8).replace("+", "%20");
            String address = own.url().replaceFirst("^jdbc:postgresql://", "postgres://%s@".formatted(user));
            String[] client = {program(DISINTEGRATE), address};
            run(own.password(), client, LOAD);
            // As autovacuum does within a minute.
            new JdbcTemplate(own.dataSource()).execute("vacuum analyze");
            measure(cells, own.password(), client);
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
            double rate = run(password, client, cell.workload(), text(cell.callers()), text(measured), text(warmUp))
                    .getFirst();
            // As JMH has it: the time of a call, in microseconds.
            ObjectNode result = JsonMapper.shared()
                    .createObjectNode()
                    .put("row", cell.row(""))
                    .put("by", cell.baseline())
                    .put("threads", cell.callers());
            result.putObject("primaryMetric").put("score", cell.callers() * 1e6 / rate);
            add(result);
        }
    }

    private void add(ObjectNode result) {
        System.out.printf(
                Locale.ROOT,
                "%s: %,.0f/s%n",
                result.path("row").asString(),
                Measured.rates(result).getFirst());
        results.add(result);
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
        builder.environment().put(PASSWORD, password);
        Process process = builder.start();
        List<Double> rates = process.inputReader().lines().map(Double::valueOf).toList();
        if (process.waitFor() != 0) {
            throw new IllegalStateException("%s failed at %s".formatted(client[0], String.join(" ", arguments)));
        }
        return rates;
    }
}
