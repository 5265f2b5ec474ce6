package dev.registrar.relay;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.postgresql.ds.PGSimpleDataSource;

/** Relays the events of a database to Kafka until it is killed. */
final class RelayingProgram {
    private RelayingProgram() {}

    /** Starts the program in a process of its own. */
    static Process start(TestDatabase database, Broker broker, Path output) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RelayingProgram.class.getName(),
                        database.url(),
                        database.username(),
                        database.password(),
                        broker.bootstrapServers())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
    }

    static EventRelay relay(String bootstrapServers, int batch) {
        RelayOptions usual = RelayOptions.defaults();
        return new EventRelay(
                "kafka",
                new RelayOptions(batch, usual.maxParked(), usual.keyPrefixes(), usual.source()),
                new KafkaPublisher(Map.of("bootstrap.servers", bootstrapServers), event -> Broker.TOPIC));
    }

    /** Takes the database's URL, user and password, and the addresses of brokers. */
    public static void main(String[] arguments) throws InterruptedException {
        PostgresEventStore store =
                PostgresEventStore.open(arguments[0], arguments[1], arguments[2], StoreOptions.defaults());
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(arguments[0]);
        connections.setUser(arguments[1]);
        connections.setPassword(arguments[2]);
        ProjectionRunner.builder(connections, store, List.of(relay(arguments[3], 100)))
                .options(ProjectionOptions.with(options -> options.lease = Duration.ofMillis(500)))
                .build()
                .start();
        new CountDownLatch(1).await();
    }
}
