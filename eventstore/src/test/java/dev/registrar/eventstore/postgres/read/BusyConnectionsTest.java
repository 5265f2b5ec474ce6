package dev.registrar.eventstore.postgres.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A stream has sent its first chunk. Then another read takes the only connection, and keeps it for longer than a read
 * waits for one. A new read is refused, but the stream of a client waits and ends.
 */
class BusyConnectionsTest {
    private static final int EVENTS = 200;
    private static final Map<String, ?> ONE_CONNECTION = Map.of("read-connections", "1", "connection-timeout", "250ms");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void a_stream_that_has_begun_waits_for_its_next_chunk() throws Exception {
        StoreOptions options = StoreDatabase.settings(ONE_CONNECTION);
        try (StoreDatabase database = new StoreDatabase();
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            SlowConnections connections = new SlowConnections(database.pool(options));
            PostgresEventStore store = StoreDatabase.storeOn(connections, options, meters);
            store.append(Collections.nCopies(EVENTS, 0).stream()
                    .map(any -> Event.of("Happened", "{}", "all"))
                    .toList());

            try (EventStream events =
                    store.read(Query.all(), ReadOptions.forwards().forClient(true))) {
                SequencedEvent first = events.next();
                connections.block();
                Future<?> other = readers.submit(store::head);
                await().until(connections::isAwaited);
                Future<List<SequencedEvent>> rest =
                        readers.submit(() -> events.stream().toList());
                await().until(() -> refusedReads() >= 2);
                assertThatThrownBy(store::head).isInstanceOf(StoreTimeoutException.class);
                connections.release();

                assertThat(rest.get()).hasSize(EVENTS - 1).doesNotContain(first);
                other.get();
            } finally {
                connections.release();
            }
        }
    }

    private double refusedReads() {
        return meters.get("registrar.store.budget.refused")
                .tag("use", "read")
                .functionCounter()
                .count();
    }

    /** Connections that can be made to wait. */
    private static final class SlowConnections extends DelegatingDataSource {
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean awaited;

        SlowConnections(DataSource connections) {
            super(connections);
        }

        void block() {
            gate = new CountDownLatch(1);
        }

        boolean isAwaited() {
            return awaited;
        }

        void release() {
            gate.countDown();
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (gate.getCount() > 0) {
                awaited = true;
                try {
                    gate.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new SQLException(interrupted);
                }
            }
            return super.getConnection();
        }
    }
}
