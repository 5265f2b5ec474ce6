package dev.registrar.projection;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.DeadLetters.Letter;
import dev.registrar.projection.DeadLetters.Settled;
import dev.registrar.projection.Leases.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Settles dead letters on an operator's command. A retry holds the lease of the follower's checkpoint. */
final class Retries {
    /** The characters of payloads and metadata after which no further event is published together with others. */
    private static final long MOST_CHARACTERS = 4_000_000;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(5);

    private final Transactions transactions;
    private final EventStore store;
    private final Checkpoints checkpoints;
    private final DeadLetters deadLetters;
    private final Leases leases;
    private final Publications publications;

    Retries(
            Transactions transactions,
            EventStore store,
            Checkpoints checkpoints,
            DeadLetters deadLetters,
            Leases leases,
            Publications publications) {
        this.transactions = transactions;
        this.store = store;
        this.checkpoints = checkpoints;
        this.deadLetters = deadLetters;
        this.leases = leases;
        this.publications = publications;
    }

    /**
     * Handles dead letters again: that at a position and the later ones of its key, or all.
     *
     * @return how many were handled
     */
    long retry(Follower follower, @Nullable Position position, @Nullable Actor by) {
        String name = follower.name();
        int together = switch (follower) {
            case View view -> throw NotRetryableException.ofView(name);
            case Automation automation -> 1;
            case Relay relay -> relay.batch();
        };
        Lease lease = awaitLease(name);
        lease.start();
        try {
            lease.from.headOf(store);
            Function<Position, List<Letter>> next = position == null
                    ? after -> deadLetters.after(name, after, together)
                    : letters(name, position, together);
            long done = 0;
            Set<String> waitedFor = new HashSet<>();
            List<Letter> letters = next.apply(Position.START);
            while (!letters.isEmpty()) {
                List<SequencedEvent> events = events(letters);
                Map<Position, String> refused = switch (follower) {
                    case View view -> throw NotRetryableException.ofView(name);
                    case Automation automation -> react(automation, events.getFirst(), position != null);
                    case Relay relay -> publications.retry(relay, lease.from.incarnation(), events, waitedFor);
                };
                List<Letter> tried = letters.subList(0, events.size());
                done += settle(name, tried, refused, waitedFor, by);
                letters = next.apply(tried.getLast().position());
            }
            return done;
        } finally {
            lease.end();
        }
    }

    /**
     * Discards a dead letter.
     *
     * @throws UnknownDeadLetterException if there is none at the position
     */
    void discard(Follower follower, Position position, @Nullable Actor by) {
        String name = follower.name();
        boolean isDiscarded = transactions.run(transaction -> {
            List<Letter> letter = deadLetters.at(name, position).stream().toList();
            return deadLetters.settle(transaction, name, letter, Settled.DISCARDED, by) == 1;
        });
        if (!isDiscarded) {
            throw new UnknownDeadLetterException(name, position);
        }
    }

    private Lease awaitLease(String name) {
        long started = System.nanoTime();
        while (System.nanoTime() - started < LONGEST_WAIT.toNanos()) {
            Optional<Lease> lease = transactions.runWithoutWaitingForTheDisk(transaction -> checkpoints
                    .lock(transaction, name, Generation.LIVE)
                    .filter(checkpoint -> !checkpoint.isLeased())
                    .map(checkpoint -> leases.take(transaction, checkpoint)));
            if (lease.isPresent()) {
                return lease.get();
            }
            try {
                // The lease is a row that another instance may hold: nothing wakes a waiter here, and an interrupt ends
                // it.
                Thread.sleep(POLL);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw NotRetryableException.ofBusy(name, LONGEST_WAIT);
    }

    /* The letter at a position, and the later ones of its key. */
    private Function<Position, List<Letter>> letters(String name, Position position, int together) {
        Letter letter =
                deadLetters.at(name, position).orElseThrow(() -> new UnknownDeadLetterException(name, position));
        String key = letter.key();
        if (key == null) {
            return after -> position.isAfter(after) ? List.of(letter) : List.of();
        }
        Position first =
                deadLetters.ofKey(name, key, Position.START, 1).getFirst().position();
        if (position.isAfter(first)) {
            throw NotRetryableException.ofLaterEvent(position, first);
        }
        return after -> deadLetters.ofKey(name, key, after, together);
    }

    /* The events of the first letters, as many as may be in memory, but at least one. */
    private List<SequencedEvent> events(List<Letter> letters) {
        List<SequencedEvent> events = new ArrayList<>();
        long characters = 0;
        for (int i = 0; i < letters.size() && characters < MOST_CHARACTERS; i++) {
            SequencedEvent event = event(letters.get(i).position());
            events.add(event);
            characters +=
                    event.event().payload().length() + event.event().metadata().length();
        }
        return events;
    }

    private SequencedEvent event(Position position) {
        try (EventStream found = store.read(
                Query.all(),
                ReadOptions.forwards().after(Position.of(position.value() - 1)).limit(1))) {
            return found.next();
        }
    }

    /* The reason why the event cannot be handled again, if so. */
    private static Map<Position, String> react(Automation automation, SequencedEvent event, boolean isOnlyOne) {
        Position position = event.position();
        Optional<String> unreadable = automation.unreadable(event);
        if (unreadable.isPresent() && isOnlyOne) {
            throw NotRetryableException.ofUnreadable(position, unreadable.get());
        }
        if (unreadable.isPresent()) {
            return Map.of(position, unreadable.get());
        }
        try {
            automation.react(event);
            return Map.of();
        } catch (RuntimeException failure) {
            Throwable printable = Printable.of(failure);
            if (Outages.isOutage(printable)) {
                throw failure;
            }
            return Map.of(position, Printable.text(printable));
        }
    }

    private int settle(
            String name, List<Letter> tried, Map<Position, String> refused, Set<String> waitedFor, @Nullable Actor by) {
        List<Letter> handled = new ArrayList<>();
        for (Letter letter : tried) {
            if (!refused.containsKey(letter.position())) {
                handled.add(letter);
            } else if (letter.key() != null) {
                waitedFor.add(letter.key());
            }
        }
        return transactions.run(transaction -> {
            deadLetters.update(transaction, name, refused);
            return deadLetters.settle(transaction, name, handled, Settled.RETRIED, by);
        });
    }
}
