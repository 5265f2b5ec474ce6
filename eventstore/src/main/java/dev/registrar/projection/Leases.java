package dev.registrar.projection;

import dev.registrar.concurrent.ServiceThread;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The leases of checkpoints: while one is held, no other instance acts for the follower. */
final class Leases {
    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

    private static final int RENEWALS_PER_LEASE = 3;

    private final Transactions transactions;
    private final String schema;
    private final Duration time;

    /** @param time after which others may act if a lease was not renewed */
    Leases(Transactions transactions, String schema, Duration time) {
        this.transactions = transactions;
        this.schema = schema;
        this.time = time;
    }

    /** Leases a checkpoint that is locked and not leased. */
    Lease take(JdbcClient transaction, Checkpoint from) {
        Lease lease = new Lease(from);
        transaction
                .sql("""
                        update %s.projections
                        set lease_holder = ?, lease_until = clock_timestamp() + ?::bigint * interval '1 ms'
                        where name = ? and build = ?""".formatted(schema))
                .params(
                        lease.holder,
                        time.toMillis(),
                        from.name(),
                        from.generation().text())
                .update();
        return lease;
    }

    /** A lease of a checkpoint. A thread renews it from its start until the lease is closed. */
    final class Lease implements ServiceThread.Work, AutoCloseable {
        final Checkpoint from;
        final UUID holder = UUID.randomUUID();
        private final ServiceThread renewal;

        private Lease(Checkpoint from) {
            this.from = from;
            this.renewal = new ServiceThread("lease-" + from.name(), time, this);
        }

        /** Renews the lease from now on; called after the transaction that took it. */
        void start() {
            renewal.start();
        }

        @Override
        public void step() throws InterruptedException {
            renewal.pause(time.dividedBy(RENEWALS_PER_LEASE));
            if (!renewal.isClosing() && !renew()) {
                renewal.end();
            }
        }

        private boolean renew() {
            try {
                int renewed = transactions.runWithoutWaitingForTheDisk(transaction -> transaction
                        .sql("""
                                update %s.projections
                                set lease_until = clock_timestamp() + ?::bigint * interval '1 ms'
                                where name = ? and build = ? and lease_holder = ?""".formatted(schema))
                        .params(time.toMillis(), from.name(), from.generation().text(), holder)
                        .update());
                return renewed == 1;
            } catch (RuntimeException unreachable) {
                LOG.warn(
                        "The lease of {} could not be renewed and is tried again: {}",
                        from.name(),
                        unreachable.toString());
                return true;
            }
        }

        /** Ends the lease, if it is still held. If that fails, it ends by itself. */
        void end() {
            close();
            try {
                transactions.runWithoutWaitingForTheDisk(transaction -> transaction
                        .sql("""
                                update %s.projections
                                set lease_holder = null, lease_until = null
                                where name = ? and build = ? and lease_holder = ?""".formatted(schema))
                        .params(from.name(), from.generation().text(), holder)
                        .update());
            } catch (RuntimeException unreachable) {
                LOG.debug("A lease of {} could not be ended", from.name(), unreachable);
            }
        }

        /* The last renewal may still run: it finds no lease. */
        @Override
        public void close() {
            renewal.end();
        }
    }
}
