package dev.registrar.subscription;

import dev.registrar.eventstore.Query;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other instances of this one's appends, and rings here for theirs. It is sent after the commits and beside them,
 * once for all of a moment; one that is lost is made up for by looking.
 */
public final class Notifications implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

    /** Between two of them: more often, nobody would be faster for it. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    private static final Duration LISTENS_FOR = Duration.ofMillis(500);
    private static final int ASKS_EVERY = 20;
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);
    private static final Duration STOPS = Duration.ofSeconds(5);

    private final DataSource connections;
    private final AppendSignals arrivals;
    private final WakeUpSignal bell;
    private final String channel;
    private final String self = UUID.randomUUID().toString();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Connection listening;
    private final Thread sender = Thread.ofVirtual().name("projections-notify").unstarted(this::send);
    private final Thread listener =
            Thread.ofVirtual().name("projections-listen").unstarted(this::listen);

    /**
     * Notifications between the instances that share a store.
     *
     * @param connections of which one is kept, to listen on
     * @param schema of the store
     */
    public Notifications(DataSource connections, AppendSignals arrivals, String schema) {
        this.connections = connections;
        this.arrivals = arrivals;
        this.bell = arrivals.localBell(Query.all());
        this.channel = schema + "_appended";
    }

    /** Begins to tell and to listen. */
    public void start() {
        sender.start();
        listener.start();
    }

    private void send() {
        try {
            while (closing.getCount() > 0) {
                if (bell.await(LONGEST_SILENCE) && closing.getCount() > 0) {
                    try (Connection connection = connections.getConnection();
                            Statement statement = connection.createStatement()) {
                        statement.execute("notify %s, '%s'".formatted(channel, self));
                    } catch (SQLException failure) {
                        LOG.debug("Other instances were not told of appends", failure);
                    }
                    pause(PAUSE);
                }
            }
        } catch (InterruptedException closed) {
            // Whoever closes it has waited long enough.
        }
    }

    private void listen() {
        try {
            while (closing.getCount() > 0) {
                try (Connection connection = connections.getConnection()) {
                    try {
                        listening = connection;
                        listenOn(connection);
                    } catch (SQLException failure) {
                        // It may listen still: nobody else is to have it.
                        connection.abort(Runnable::run);
                        throw failure;
                    } finally {
                        listening = null;
                    }
                } catch (SQLException failure) {
                    LOG.debug("Nothing is heard of other instances' appends for now", failure);
                    pause(RETRY_AFTER);
                }
            }
        } catch (InterruptedException closed) {
            // Whoever closes it has waited long enough.
        }
    }

    private void listenOn(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(ANSWERS_WITHIN.toMillis()));
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + channel);
            // What was told before is not told again.
            arrivals.ringAll();
            PGConnection postgres = connection.unwrap(PGConnection.class);
            for (int rounds = 1; closing.getCount() > 0; rounds++) {
                PGNotification @Nullable [] told = postgres.getNotifications(Math.toIntExact(LISTENS_FOR.toMillis()));
                if (told != null && isOthers(told)) {
                    arrivals.ringAll();
                }
                if (rounds % ASKS_EVERY == 0) {
                    // A connection whose other end has gone says nothing for ever.
                    statement.execute("select 1");
                }
            }
            statement.execute("unlisten *");
        }
    }

    private boolean isOthers(PGNotification[] told) {
        for (PGNotification notification : told) {
            if (!notification.getParameter().equals(self)) {
                return true;
            }
        }
        return false;
    }

    private void pause(Duration lasts) throws InterruptedException {
        if (closing.await(lasts.toNanos(), TimeUnit.NANOSECONDS)) {
            bell.ring();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        bell.close();
        bell.ring();
        abortListening();
        for (Thread thread : new Thread[] {sender, listener}) {
            try {
                if (!thread.join(STOPS)) {
                    thread.interrupt();
                }
            } catch (InterruptedException interrupted) {
                thread.interrupt();
                Thread.currentThread().interrupt();
            }
        }
    }

    /* The listener would notice the end only after LISTENS_FOR. A connection that was given back ignores this. */
    private void abortListening() {
        Connection connection = listening;
        if (connection != null) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException gone) {
                LOG.debug("The connection for notifications is gone already", gone);
            }
        }
    }
}
