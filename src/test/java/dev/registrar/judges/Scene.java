package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.DatabaseProxy;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLState;

/**
 * What a fault happens to: a database server, two services and two stores of the library that reach it through a proxy,
 * and clients that call all four.
 *
 * @param database the store's database, without the proxy
 * @param instances the services, then the stores of the library
 * @param disks for the server's data and for its write-ahead log; empty without the right to make them
 * @param clock for processes that are started with it; empty where it is not installed
 */
record Scene(
        DatabaseServer server,
        DatabaseProxy proxy,
        TestDatabase database,
        Services services,
        List<Instance> instances,
        List<SmallDisk> disks,
        Optional<Clocks> clock,
        Recorder recorder,
        Workload work,
        Listener listener,
        SplittableRandom random) {
    static final Path FOLDER = Path.of("target", "faults").toAbsolutePath();

    /** Whether this is the long run. */
    static final boolean IS_LONG = Boolean.getBoolean("registrar.faults.long");

    /** Whether times are judged, too: on a machine that does nothing else. */
    private static final boolean HAS_BOUNDS = Boolean.getBoolean("registrar.faults.bounds");

    /** After which a call that has reached the database is given up: the time-out of a statement, and what it takes. */
    private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(20);

    /** Of the client that a fault has, which is none of the load. */
    private static final int OWN_CLIENT = 41;

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /** Waits until the clients have made further calls. */
    void awaitCalls(int number) {
        int before = recorder.size();
        await().until(() -> recorder.size() >= before + number);
    }

    /** Waits for a random time, so that what comes next happens at any moment of the load. */
    void pause() {
        LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE.toNanos()));
    }

    /** Appends until each instance has acknowledged it. */
    void awaitAppends(List<? extends Instance> all) {
        for (Instance instance : all) {
            await().until(() -> append(instance, event(), null).outcome() == Outcome.APPENDED);
        }
    }

    /** All instances but the service with this index. */
    List<Instance> instancesBut(int index) {
        String other = instances.get(index).name();
        return instances.stream().filter(each -> !each.name().equals(other)).toList();
    }

    /** Waits until each instance says, without having reached the database, that nothing is stored: 503 over HTTP. */
    void awaitRefusals(Duration bound) {
        CompletableFuture.allOf(instances.stream()
                        .map(instance -> CompletableFuture.runAsync(
                                () -> await().until(() -> probe(instance, bound) == Outcome.FAILED),
                                Thread::startVirtualThread))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** Appends events once. */
    Part append(Instance instance, List<NewEvent> events, @Nullable String key) {
        return new Client(OWN_CLIENT, instance, instance, work, 0).append(events, key);
    }

    /** An event at which the proxy cuts the connection instead of delivering the reply. */
    List<NewEvent> cutReply() {
        return work.event(
                "-Cut", List.of("cut-reply-%s;".formatted(work.attempts().get())));
    }

    /** Appends an event and prints what came of it, and when. */
    Outcome probe(Instance instance, Duration bound) {
        long begun = System.nanoTime();
        Outcome outcome = Objects.requireNonNull(append(instance, event(), null).outcome());
        took(
                "%s: %s".formatted(instance.name(), outcome),
                begun,
                outcome == Outcome.UNKNOWN ? LONGEST_STATEMENT : bound);
        return outcome;
    }

    private synchronized List<NewEvent> event() {
        return work.events(random.split(), 1);
    }

    /**
     * Prints how long something took. On a machine that does nothing else it is judged, too.
     *
     * @param begun by {@link System#nanoTime}
     */
    static void took(String what, long begun, Duration bound) {
        Duration time = Duration.ofNanos(System.nanoTime() - begun);
        say("  %s after %s ms".formatted(what, time.toMillis()));
        if (HAS_BOUNDS) {
            assertThat(time).as(what).isLessThanOrEqualTo(bound);
        }
    }

    /**
     * Executes a statement in the store's database, on a connection of its own, and again after a deadlock: a reindex
     * and an append that has read the index wait for each other.
     */
    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            boolean isDone = false;
            while (!isDone) {
                try {
                    statement.execute(sql);
                    isDone = true;
                } catch (SQLException failure) {
                    if (!PSQLState.DEADLOCK_DETECTED.getState().equals(failure.getSQLState())) {
                        throw failure;
                    }
                }
            }
        }
    }

    /** Makes the server begin the next file of its write-ahead log, if it can. */
    void takeLogSegment() {
        try {
            execute("select pg_switch_wal()");
        } catch (SQLException full) {
            say("  no further file of the write-ahead log: " + full.getMessage());
        }
    }

    /** The number that a query of the store's database has found. */
    long number(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** A connection to the store's database, without the proxy. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(database.url(), database.username(), database.password());
    }

    /** Notes what happens, in the file that {@code .ci/faults} prints. */
    static void say(String text) {
        try {
            Files.writeString(
                    FOLDER.resolve("faults.log"), text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
