package dev.registrar.projection;

import dev.registrar.concurrent.BackOff;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.DeadLetters.Letter;
import dev.registrar.projection.Leases.Lease;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Lets automations react to events and relays publish them: outside of a transaction, under a lease in the checkpoint.
 */
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
     * for the disk. The events that a relay parks are recorded in the transaction that moves its checkpoint.
     */

    /** Attempts for about 6 s: a connection that is lost after the reaction must not repeat it. */
    private static final BackOff MOVE = BackOff.doubling(Duration.ofMillis(50), Duration.ofSeconds(5));

    private static final int RETRIES_OF_MOVE = 7;

    private final Transactions transactions;
    private final Checkpoints checkpoints;
    private final Leases leases;
    private final DeadLetters deadLetters;
    private final Publications publications;

    Reactions(
            Transactions transactions,
            Checkpoints checkpoints,
            Leases leases,
            DeadLetters deadLetters,
            Publications publications) {
        this.transactions = transactions;
        this.checkpoints = checkpoints;
        this.leases = leases;
        this.deadLetters = deadLetters;
        this.publications = publications;
    }

    /**
     * What this instance has done.
     *
     * @param batch the events behind which the checkpoint moves
     * @param parked those of them that were not published
     */
    record Done(LogBatch batch, List<Letter> parked) {}

    /**
     * Leases a checkpoint that is locked and not leased. What is returned is called after the transaction: it lets the
     * follower act, and moves the checkpoint behind the events. It throws an {@link UnhandledEventException} if an
     * automation could not handle them, and another exception if the database, the store or the target of a relay
     * failed.
     *
     * @param batch one event or more
     */
    Supplier<BatchResult> lease(JdbcClient transaction, Follower follower, Checkpoint from, LogBatch batch) {
        Lease lease = leases.take(transaction, from);
        return () -> carryOut(follower, lease, batch);
    }

    private BatchResult carryOut(Follower follower, Lease lease, LogBatch batch) {
        Done done;
        boolean isMoved;
        try (lease) {
            lease.start();
            done = act(follower, lease, batch);
            isMoved = MOVE.retry(
                    RETRIES_OF_MOVE,
                    Outages::isOutage,
                    () -> transactions.runWithoutWaitingForTheDisk(transaction -> move(transaction, lease, done)));
        }
        if (isMoved) {
            return new BatchResult.Moved(done.batch().end().position());
        }
        LOG.warn(
                "{} has reacted to events from {} on, but does not hold its lease any more: another instance may react, too",
                follower.name(),
                batch.events().getFirst().position());
        return new BatchResult.Elsewhere();
    }

    private Done act(Follower follower, Lease lease, LogBatch batch) {
        try {
            return switch (follower) {
                case Automation automation -> react(automation, batch);
                case Relay relay -> publications.publish(relay, lease.from, batch);
                case View view -> throw new IllegalStateException("The view %s does not react".formatted(view.name()));
            };
        } catch (Throwable failure) {
            lease.end();
            throw follower instanceof Relay && failure instanceof RuntimeException unpublished
                    ? unpublished
                    : BatchProcessor.unhandled(follower, lease.from, batch.events(), failure);
        }
    }

    private static Done react(Automation automation, LogBatch batch) {
        List<SequencedEvent> events = batch.events();
        if (events.size() == 1) {
            automation.react(events.getFirst());
        } else {
            automation.react(events);
        }
        return new Done(batch, List.of());
    }

    private boolean move(JdbcClient transaction, Lease lease, Done done) {
        int handled = done.batch().events().size() - done.parked().size();
        boolean isMoved =
                checkpoints.moveLeased(transaction, lease.from, done.batch().end(), handled, lease.holder);
        if (isMoved) {
            deadLetters.add(transaction, lease.from, done.parked());
        }
        return isMoved;
    }
}
