package dev.registrar.relay;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Relay;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A relay that passes events to a publisher as CloudEvents. */
public final class EventRelay implements Relay, AutoCloseable {
    private final String name;
    private final Query query;
    private final RelayOptions options;
    private final Function<SequencedEvent, @Nullable String> keys;
    private final Publisher publisher;

    /** A relay of all events, with the keys that the options name. */
    public EventRelay(String name, RelayOptions options, Publisher publisher) {
        this(name, Query.all(), options, options::key, publisher);
    }

    /**
     * A relay of some events.
     *
     * @param name as {@link #name}
     * @param keys the key of an event, as {@link #key}
     */
    public EventRelay(
            String name,
            Query query,
            RelayOptions options,
            Function<SequencedEvent, @Nullable String> keys,
            Publisher publisher) {
        this.name = name;
        this.query = query;
        this.options = options;
        this.keys = keys;
        this.publisher = publisher;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Query query() {
        return query;
    }

    @Override
    public int batch() {
        return options.batch();
    }

    @Override
    public int maxParked() {
        return options.maxParked();
    }

    @Override
    public @Nullable String key(SequencedEvent event) {
        return keys.apply(event);
    }

    @Override
    public Map<Position, String> publish(UUID incarnation, List<SequencedEvent> events) {
        String source = options.source() + incarnation;
        return publisher.publish(events.stream()
                .map(event -> new CloudEvent(event, source, key(event)))
                .toList());
    }

    @Override
    public void close() {
        publisher.close();
    }
}
