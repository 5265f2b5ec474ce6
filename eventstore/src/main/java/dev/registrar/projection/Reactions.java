package dev.registrar.projection;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.ServiceThread;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Lets automations react to events: outside of a transaction, under a lease in the automation's checkpoint. */
final class Reactions {
    private static final Logger LOG = LoggerFactory.getLogger(Reactions.class);

    /*
     * A reaction may take any time, so it holds neither a connection nor the lock of the checkpoint's row. Instead, the
     * transaction that finds the next events leases the checkpoint. While the reaction runs, its instance renews the
     * lease. Other instances leave a leased checkpoint alone, and the checkpoint moves only under the lease. So an event
     * is passed on once, unless the checkpoint was not moved behind it: the reaction failed, its instance was killed, or
     * the instance could not reach the database for the length of a lease, or for the attempts of the move. After the
     * lease any instance passes the event on again. The first reaction may still run then: nothing can stop it, and its
     * result is ignored. A crash of the database server may undo the lease or the move, since their commits do not wait
     * for the disk.
     */
    private static final int RENEWALS_PER_LEASE = 3;

    /** Attempts for about 6 s: a connection that is lost after the reaction must not repeat it. */
    private static final BackOff MOVE = BackOff.doubling(Duration.ofMillis(50), Duration.ofSeconds(5));

    private static final int RETRIES_OF_MOVE = 7;

    private final Transactions transactions;
    private final Checkpoints checkpoints;
    private final String schema;
    private final Duration time;

    /** @param time of a lease, after which other instances react if it was not renewed */
    Reactions(Transactions transactions, Checkpoints checkpoints, Duration time) {
        this.transactions = transactions;
        this.checkpoints = checkpoints;
        this.schema = checkpoints.schema();
        this.time = time;
    }

    /**
     * A reaction that this instance has to carry out.
     *
     * @param holder names the lease
     * @param batch one event or more
     */
    record Due(Automation automation, Checkpoint from, UUID holder, LogBatch batch) {}

    /** Leases a checkpoint that is locked and not leased. */
    Due lease(JdbcClient transaction, Automation automation, Checkpoint from, LogBatch batch) {
        UUID holder = UUID.randomUUID();
        transaction
                .sql("""
                        update %s.projections
                        set lease_holder = ?, lease_until = clock_timestamp() + ?::bigint * interval '1 ms'
                        where name = ? and build = ?""".formatted(schema))
                .params(holder, time.toMillis(), from.name(), from.generation().text())
                .update();
        return new Due(automation, from, holder, batch);
    }

    /**
     * Carries out a reaction, and moves the checkpoint behind its events.
     *
     * @throws UnhandledEventException if the automation could not handle the events
     * @throws RuntimeException if the database or the store failed
     */
    @SuppressWarnings("try") // the resource is only closed
    BatchResult carryOut(Due due) {
        boolean isMoved;
        try (Renewal renewal = new Renewal(due)) {
            react(due);
            LogBatch batch = due.batch();
            isMoved = MOVE.retry(
                    RETRIES_OF_MOVE,
                    Outages::isOutage,
                    () -> transactions.runWithoutWaitingForTheDisk(transaction -> checkpoints.moveLeased(
                            transaction, due.from(), batch.end(), batch.events().size(), due.holder())));
        }
        if (isMoved) {
            return new BatchResult.Moved(due.batch().end().position());
        }
        LOG.warn(
                "{} has reacted to events from {} on, but does not hold its lease any more: another instance may react, too",
                due.automation().name(),
                due.batch().events().getFirst().position());
        return new BatchResult.Elsewhere();
    }

    private void react(Due due) {
        try {
            if (due.batch().events().size() == 1) {
                due.automation().react(due.batch().events().getFirst());
            } else {
                due.automation().react(due.batch().events());
            }
        } catch (Throwable failure) {
            endLease(due);
            throw BatchProcessor.unhandled(
                    due.automation(), due.from(), due.batch().events(), failure);
        }
    }

    /* Otherwise it ends by itself. */
    private void endLease(Due due) {
        try {
            transactions.runWithoutWaitingForTheDisk(transaction -> transaction
                    .sql("""
                            update %s.projections
                            set lease_holder = null, lease_until = null
                            where name = ? and build = ? and lease_holder = ?""".formatted(schema))
                    .params(due.from().name(), due.from().generation().text(), due.holder())
                    .update());
        } catch (RuntimeException unreachable) {
            LOG.debug("A lease of {} could not be ended", due.automation().name(), unreachable);
        }
    }

    /** Renews a lease, on a thread of its own. */
    private final class Renewal implements ServiceThread.Work, AutoCloseable {
        private final Due due;
        private final ServiceThread thread;

        Renewal(Due due) {
            this.due = due;
            this.thread = new ServiceThread("lease-" + due.automation().name(), time, this);
            thread.start();
        }

        @Override
        public void step() throws InterruptedException {
            thread.pause(time.dividedBy(RENEWALS_PER_LEASE));
            if (!thread.isClosing() && !renew()) {
                thread.end();
            }
        }

        private boolean renew() {
            try {
                int renewed = transactions.runWithoutWaitingForTheDisk(transaction -> transaction
                        .sql("""
                                update %s.projections
                                set lease_until = clock_timestamp() + ?::bigint * interval '1 ms'
                                where name = ? and build = ? and lease_holder = ?""".formatted(schema))
                        .params(
                                time.toMillis(),
                                due.from().name(),
                                due.from().generation().text(),
                                due.holder())
                        .update());
                return renewed == 1;
            } catch (RuntimeException unreachable) {
                LOG.warn(
                        "The lease of {} could not be renewed and is tried again: {}",
                        due.automation().name(),
                        unreachable.toString());
                return true;
            }
        }

        /* The last renewal may still run: it finds no lease. */
        @Override
        public void close() {
            thread.end();
        }
    }
}
