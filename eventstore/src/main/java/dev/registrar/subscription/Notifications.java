package dev.registrar.subscription;

import dev.registrar.concurrent.ServiceThread;
import dev.registrar.eventstore.Query;
import dev.registrar.subscription.AppendSignals.WakeUpSignal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake-ups between the instances that share a store, by NOTIFY and LISTEN: appends of this instance raise the signals
 * of the others, and theirs raise the signals here. One notification covers all commits since the last one, and is sent
 * on a connection of its own. A lost notification delays the other instances until their next poll.
 *
 * <p>This class needs pgjdbc. Two virtual threads run from {@link #start} until {@link #close}. One connection is held
 * all that time for LISTEN: a pool needs room for it. A second one is taken for each notification, at most every 20 ms.
 * Both return to their pool as they were; a connection whose LISTEN has failed is aborted instead.
 */
public final class Notifications implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

    /** The pause between two notifications; more notifications would not wake a reader earlier. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final Duration LISTEN_TIME = Duration.ofMillis(500);
    /** Number of {@link #LISTEN_TIME} periods between two probes of a silent connection. */
    private static final int PROBE_EVERY = 20;

    private static final Duration ANSWER_TIME = Duration.ofSeconds(5);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration SEND_POLL = Duration.ofSeconds(10);
    private static final Duration STOP_TIME = Duration.ofSeconds(5);

    private final DataSource connections;
    private final AppendSignals signals;
    private final WakeUpSignal appended;
    private final String channel;
    private final String self = UUID.randomUUID().toString();
    private final ServiceThread sender = new ServiceThread("append-notifier", STOP_TIME, new Sender());
    private final ServiceThread listener = new ServiceThread("append-listener", STOP_TIME, this::listen);

    /**
     * Creates notifications that are not started.
     *
     * @param connections to the store's database; one of them is held for LISTEN until {@link #close}
     * @param schema of the store
     */
    public Notifications(DataSource connections, AppendSignals signals, String schema) {
        this.connections = connections;
        this.signals = signals;
        this.appended = signals.registerLocal(Query.all());
        this.channel = schema + "_appended";
    }

    /** Starts to send and to listen. Called once. */
    public void start() {
        sender.start();
        listener.start();
    }

    private final class Sender implements ServiceThread.Work {
        @Override
        public void step() throws InterruptedException {
            if (appended.await(SEND_POLL) && !sender.isClosing()) {
                sendOne();
                sender.pause(PAUSE);
            }
        }

        @Override
        public void wake() {
            appended.raise();
        }

        /* The listener of this process receives it, too, and ends at once. */
        @Override
        public void ended() {
            sendOne();
        }
    }

    private void sendOne() {
        try (Connection connection = connections.getConnection()) {
            boolean poolCommits = committing(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("notify %s, '%s'".formatted(channel, self));
            }
            connection.setAutoCommit(poolCommits);
        } catch (SQLException failure) {
            LOG.debug("Cannot notify other instances of appends", failure);
        }
    }

    /* Both commands take effect at a commit. Without a change, this is a field of the driver. */
    private static boolean committing(Connection connection) throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(true);
        return before;
    }

    private void listen() throws InterruptedException {
        try (Connection connection = connections.getConnection()) {
            try {
                listenOn(connection);
            } catch (SQLException failure) {
                // The connection may still listen, so it must not return to its pool.
                connection.abort(Runnable::run);
                throw failure;
            }
        } catch (SQLException failure) {
            LOG.debug("Cannot receive notifications of other instances' appends", failure);
            listener.pause(RETRY_AFTER);
        }
    }

    private void listenOn(Connection connection) throws SQLException {
        boolean poolCommits = committing(connection);
        int poolTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(ANSWER_TIME.toMillis()));
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + channel);
            // Notifications that were sent before are not repeated.
            signals.raiseAll();
            PGConnection postgres = connection.unwrap(PGConnection.class);
            for (int rounds = 1; !listener.isClosing(); rounds++) {
                PGNotification @Nullable [] received =
                        postgres.getNotifications(Math.toIntExact(LISTEN_TIME.toMillis()));
                if (received != null && isFromOthers(received)) {
                    signals.raiseAll();
                }
                if (rounds % PROBE_EVERY == 0) {
                    // Reading alone does not reveal that the server is gone.
                    statement.execute("select 1");
                }
            }
            statement.execute("unlisten *");
        }
        connection.setNetworkTimeout(Runnable::run, poolTimeout);
        connection.setAutoCommit(poolCommits);
    }

    private boolean isFromOthers(PGNotification[] received) {
        for (PGNotification notification : received) {
            if (!notification.getParameter().equals(self)) {
                return true;
            }
        }
        return false;
    }

    /** Stops both threads, and waits up to 5 s for each. */
    @Override
    public void close() {
        listener.end();
        appended.close();
        sender.close();
        listener.close();
    }
}
