package dev.registrar.relay;

import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.options.Bounds;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a relay.
 *
 * @param batch maximum number of events that are published together, 1 to 10,000
 * @param maxParked maximum number of parked events, 1 to 100,000; with as many, the relay stops
 * @param keyPrefixes the beginnings of the tags that are keys. The key of an event is its first tag with the first of
 *     these prefixes that one of its tags has
 * @param source the beginning of the attribute {@code source} of the CloudEvents; the incarnation of the store follows
 */
public record RelayOptions(int batch, int maxParked, List<String> keyPrefixes, String source) {
    /** Maximum number of events that are published together. */
    public static final int MAX_BATCH = 10_000;

    public RelayOptions {
        Bounds.check("relay.batch", batch, 1, MAX_BATCH);
        Bounds.check("relay.maxParked", maxParked, 1, 100_000);
        keyPrefixes = List.copyOf(keyPrefixes);
    }

    /** Batches of 2,000 events, 10,000 parked events, the first tag as key, and sources {@code urn:registrar:…}. */
    public static RelayOptions defaults() {
        return new RelayOptions(2_000, 10_000, List.of(""), "urn:registrar:");
    }

    /** The key of an event; null if it has no tag with one of the prefixes. */
    public @Nullable String key(SequencedEvent event) {
        return keyPrefixes.stream()
                .map(prefix -> event.event().tags().stream()
                        .map(Tag::value)
                        .filter(tag -> tag.startsWith(prefix))
                        .findFirst())
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(null);
    }
}
