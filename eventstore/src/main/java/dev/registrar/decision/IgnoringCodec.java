package dev.registrar.decision;

import dev.registrar.concurrent.Throttle;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A codec with which decisions ignore events that cannot be read, for a store to which other clients may append under
 * the domain's types: otherwise one such event would fail all decisions that depend on it. The meter
 * {@code registrar.decisions.unreadable} counts these events, each time that one is read, and at most one in a minute
 * is logged.
 *
 * <p>Use it only if every event that cannot be read is one of another client. An unreadable event of the domain itself,
 * such as one of a later version, must not be ignored.
 *
 * <p>Facts share a cached state only if they use the same codec instance.
 *
 * @param <E> the domain's events
 */
public final class IgnoringCodec<E> implements EventCodec<E> {
    private static final Logger LOG = LoggerFactory.getLogger(IgnoringCodec.class);

    private final EventCodec<E> codec;
    private final Counter ignored;
    private final Throttle lines = new Throttle(Duration.ofMinutes(1));

    public IgnoringCodec(EventCodec<E> codec, MeterRegistry metrics) {
        this.codec = codec;
        this.ignored = Counter.builder("registrar.decisions.unreadable")
                .description("Unreadable events that decisions have ignored, each time")
                .baseUnit("events")
                .register(metrics);
    }

    @Override
    public Encoded encode(E event) {
        return codec.encode(event);
    }

    @Override
    public E decode(String type, String payload) {
        return codec.decode(type, payload);
    }

    @Override
    public E decode(Event stored) {
        return codec.decode(stored);
    }

    @Override
    public Query withFormerTypes(Query query) {
        return codec.withFormerTypes(query);
    }

    @Override
    public Optional<E> decodeForDecision(SequencedEvent stored) {
        try {
            return EventCodec.super.decodeForDecision(stored);
        } catch (UnreadableEventException unreadable) {
            ignored.increment();
            if (lines.tryAcquire()) {
                LOG.warn(
                        "Decisions ignore the event at position {}, of type '{}', because it cannot be read; further ones within a minute are only counted",
                        unreadable.position(),
                        unreadable.type());
            }
            return Optional.empty();
        }
    }
}
