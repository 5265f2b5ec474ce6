package dev.registrar.projection;

import dev.registrar.catalog.Catalog;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs the catalog's views and a tally on a database until it is killed. */
final class ConsumingProgram {
    private ConsumingProgram() {}

    /** The views that the program runs. */
    static Follower[] followers() {
        List<Follower> followers = new ArrayList<>(Catalog.views());
        followers.add(new Tally("tally"));
        return followers.toArray(Follower[]::new);
    }

    /**
     * Starts the program in a process of its own.
     *
     * @param running the file that the program creates when its views run
     */
    static Process start(TestDatabase database, Path running) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConsumingProgram.class.getName(),
                        database.url(),
                        database.username(),
                        database.password(),
                        running.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Takes the database's URL, user and password, and the file to create. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        PostgresEventStore store =
                PostgresEventStore.open(arguments[0], arguments[1], arguments[2], StoreDatabase.settings(Map.of()));
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(arguments[0]);
        connections.setUser(arguments[1]);
        connections.setPassword(arguments[2]);
        ProjectionRunner.builder(connections, store, List.of(followers()))
                .options(ProjectionOptions.with(options -> options.batch = 50))
                .build()
                .start();
        Files.createFile(Path.of(arguments[3]));
        new CountDownLatch(1).await();
    }
}
