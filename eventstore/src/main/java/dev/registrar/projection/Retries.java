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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Settles dead letters on an operator's command. A retry holds the lease of the follower's checkpoint. */
final class Retries {
    /** Maximum number of dead letters that are handled together. */
    private static final int TOGETHER = 1_000;

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

    private record Held(Checkpoint checkpoint, UUID holder) {}

    /**
     * Handles dead letters again: that at a position and the later ones of its key, or all.
     *
     * @return how many were handled
     */
    @SuppressWarnings("try") // the resource is only closed
    long retry(Follower follower, @Nullable Position position, @Nullable Actor by) {
        if (follower instanceof View) {
            throw NotRetryableException.ofView(follower.name());
        }
        Held held = awaitLease(follower.name());
        try (Leases.Renewal renewal = leases.renewal(held.checkpoint(), held.holder())) {
            held.checkpoint().headOf(store);
            Function<Position, List<Letter>> next = position == null
                    ? after -> deadLetters.after(follower.name(), after, TOGETHER)
                    : letters(follower, position);
            return switch (follower) {
                case View view -> throw NotRetryableException.ofView(view.name());
                case Automation automation -> react(automation, next, position != null, by);
                case Relay relay -> publish(relay, held.checkpoint().incarnation(), next, by);
            };
        } finally {
            leases.end(held.checkpoint(), held.holder());
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

    private Held awaitLease(String name) {
        long started = System.nanoTime();
        while (System.nanoTime() - started < LONGEST_WAIT.toNanos()) {
            Optional<Held> held = transactions.runWithoutWaitingForTheDisk(transaction -> checkpoints
                    .lock(transaction, name, Generation.LIVE)
                    .filter(checkpoint -> !checkpoint.isLeased())
                    .map(checkpoint -> new Held(checkpoint, leases.take(transaction, checkpoint))));
            if (held.isPresent()) {
                return held.get();
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
    private Function<Position, List<Letter>> letters(Follower follower, Position position) {
        String name = follower.name();
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
        return after -> deadLetters.ofKey(name, key, after, TOGETHER);
    }

    private long react(
            Automation automation, Function<Position, List<Letter>> next, boolean isOne, @Nullable Actor by) {
        long done = 0;
        List<Letter> letters = next.apply(Position.START);
        while (!letters.isEmpty()) {
            for (Letter letter : letters) {
                SequencedEvent event = event(letter.position());
                Optional<String> unreadable = automation.unreadable(event);
                if (unreadable.isPresent() && isOne) {
                    throw NotRetryableException.ofUnreadable(letter.position(), unreadable.get());
                }
                if (unreadable.isEmpty() && reacts(automation, event, letter)) {
                    done += settle(automation.name(), List.of(letter), by);
                }
            }
            letters = next.apply(letters.getLast().position());
        }
        return done;
    }

    private boolean reacts(Automation automation, SequencedEvent event, Letter letter) {
        try {
            automation.react(event);
            return true;
        } catch (RuntimeException failure) {
            if (Outages.isOutage(failure)) {
                throw failure;
            }
            Skip skip = letter.skip();
            Skip again = new Skip(skip.position(), skip.by(), Printable.text(failure), skip.at());
            update(automation.name(), List.of(new Letter(again, letter.key())));
            return false;
        }
    }

    private long publish(Relay relay, UUID incarnation, Function<Position, List<Letter>> next, @Nullable Actor by) {
        long done = 0;
        Set<String> waitedFor = new HashSet<>();
        List<Letter> letters = next.apply(Position.START);
        while (!letters.isEmpty()) {
            int from = 0;
            while (from < letters.size()) {
                List<SequencedEvent> events =
                        events(letters.subList(from, Math.min(letters.size(), from + relay.batch())));
                List<Letter> together = letters.subList(from, from + events.size());
                from += events.size();
                Map<Position, Letter> refused = publications.retry(relay, incarnation, events, waitedFor).stream()
                        .collect(Collectors.toMap(Letter::position, Function.identity()));
                List<Letter> published = new ArrayList<>();
                for (Letter letter : together) {
                    if (!refused.containsKey(letter.position())) {
                        published.add(letter);
                    } else if (letter.key() != null) {
                        waitedFor.add(letter.key());
                    }
                }
                done += settle(relay.name(), published, by);
                update(relay.name(), List.copyOf(refused.values()));
            }
            letters = next.apply(letters.getLast().position());
        }
        return done;
    }

    private int settle(String name, List<Letter> letters, @Nullable Actor by) {
        return transactions.run(transaction -> deadLetters.settle(transaction, name, letters, Settled.RETRIED, by));
    }

    private void update(String name, List<Letter> letters) {
        transactions.run(transaction -> {
            deadLetters.update(transaction, name, letters);
            return letters;
        });
    }

    /* The events of the first letters: one or more, as many as may be in memory. */
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
}
