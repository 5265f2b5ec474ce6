package dev.registrar.projection;

import dev.registrar.concurrent.BackOff;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Sha256;
import dev.registrar.projection.DeadLetters.Letter;
import dev.registrar.projection.DeadLetters.Parked;
import dev.registrar.projection.Reactions.Done;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets relays publish events, and finds those to park. */
final class Publications {
    private static final Logger LOG = LoggerFactory.getLogger(Publications.class);

    /*
     * Why the order of a key is kept: an event is published only if no earlier event of its key is parked. The relay
     * publishes no event after a refused one of the same key, and the events of a batch after it are parked with it, in
     * the transaction that moves the checkpoint. A retry runs under the lease of the checkpoint, so no event of the key
     * is published or parked meanwhile.
     */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final DeadLetters deadLetters;
    private final InstantSource clock;
    private final int attempts;
    private final BackOff backOff;

    Publications(DeadLetters deadLetters, ProjectionOptions options, InstantSource clock) {
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.attempts = options.attempts();
        this.backOff = BackOff.doubling(options.retryAfter(), LONGEST_PAUSE);
    }

    /**
     * Publishes a batch, or its beginning if fewer events may still be parked.
     *
     * @throws PublisherUnavailableException if the target of the relay cannot be reached or is busy
     * @throws IllegalStateException if no further event may be parked
     */
    Done publish(Relay relay, Checkpoint from, LogBatch batch) {
        Keys keys = new Keys(relay, batch.events());
        Parked before = deadLetters.parked(relay.name(), keys.all());
        long room = relay.maxParked() - before.letters();
        if (room <= 0) {
            throw new IllegalStateException(
                    "%s events are parked, and no further event may be: retry or discard them, and resume the relay"
                            .formatted(relay.maxParked()));
        }
        LogBatch taken =
                room < batch.events().size() ? batch.before(batch.events().get((int) room)) : batch;
        List<Letter> parked = publish(relay, from.incarnation(), taken.events(), keys, before.keys(), attempts);
        if (!parked.isEmpty()) {
            LOG.warn(
                    "{} parks {} events from position {} on: {}",
                    relay.name(),
                    parked.size(),
                    parked.getFirst().position(),
                    parked.getFirst().skip().reason());
        }
        return new Done(taken, parked);
    }

    /** Publishes dead letters once more; returns why events are still refused, also the later ones of their keys. */
    Map<Position, String> retry(Relay relay, UUID incarnation, List<SequencedEvent> events, Set<String> waitedFor) {
        return publish(relay, incarnation, events, new Keys(relay, events), waitedFor, 1).stream()
                .collect(Collectors.toMap(
                        Letter::position, letter -> letter.skip().reason()));
    }

    private List<Letter> publish(
            Relay relay,
            UUID incarnation,
            List<SequencedEvent> events,
            Keys keys,
            Set<String> waitedFor,
            int mostAttempts) {
        List<SequencedEvent> open = events.stream()
                .filter(event -> {
                    String key = keys.of(event);
                    return key == null || !waitedFor.contains(key);
                })
                .toList();
        Map<Position, String> refused = Map.of();
        for (int failures = 0; !open.isEmpty() && failures < mostAttempts; failures++) {
            if (failures > 0) {
                pause(relay, failures);
            }
            refused = relay.publish(incarnation, open);
            open = unpublished(open, refused, Set.of(), keys);
        }
        Map<Position, String> reasons = refused;
        return unpublished(events, refused, waitedFor, keys).stream()
                .map(event -> new Letter(
                        new Skip(
                                event.position(),
                                Skip.By.PARKED,
                                reasons.getOrDefault(event.position(), "It waits for an earlier event of its key"),
                                clock.instant()),
                        keys.of(event)))
                .toList();
    }

    /* Those refused, and those that wait for an earlier one of their key. */
    private static List<SequencedEvent> unpublished(
            List<SequencedEvent> events, Map<Position, String> refused, Set<String> waitedFor, Keys keys) {
        Set<String> waiting = new HashSet<>(waitedFor);
        return events.stream()
                .filter(event -> {
                    String key = keys.of(event);
                    boolean isRefused = refused.containsKey(event.position());
                    if (isRefused && key != null) {
                        waiting.add(key);
                    }
                    return isRefused || (key != null && waiting.contains(key));
                })
                .toList();
    }

    private void pause(Relay relay, int failures) {
        try {
            // A plain sleep, as of every back-off: no signal says that the target is back, and an interrupt ends it.
            Thread.sleep(backOff.after(failures));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PublisherUnavailableException("%s is closed".formatted(relay.name()), interrupted);
        }
    }

    /** Digests of the keys of events: the table of parked events must not tell a key. */
    private static final class Keys {
        private final Map<Position, String> digests = new HashMap<>();

        Keys(Relay relay, List<SequencedEvent> events) {
            for (SequencedEvent event : events) {
                String key = relay.key(event);
                if (key != null) {
                    digests.put(event.position(), Sha256.hex(key));
                }
            }
        }

        @Nullable String of(SequencedEvent event) {
            return digests.get(event.position());
        }

        Set<String> all() {
            return Set.copyOf(digests.values());
        }
    }
}
