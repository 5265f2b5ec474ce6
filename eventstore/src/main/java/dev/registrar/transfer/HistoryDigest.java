package dev.registrar.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Sha256;
import dev.registrar.eventstore.Tag;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The digest of a history's events in their order, without their positions. */
final class HistoryDigest {
    private final MessageDigest digest = Sha256.digest();
    private final ByteBuffer numbers = ByteBuffer.allocate(32);
    private long events;

    /** Adds an event of a store, with the time at which the first store recorded it. */
    void add(SequencedEvent stored) {
        Instant original = stored.originalTime();
        add(stored.event(), original == null ? stored.recordedAt() : original, stored.actor());
    }

    /* Each text has its length before it, so that no two histories give the same bytes. */
    void add(Event event, Instant time, @Nullable Actor actor) {
        numbers.clear();
        numbers.putLong(event.id().getMostSignificantBits());
        numbers.putLong(event.id().getLeastSignificantBits());
        numbers.putLong(time.getEpochSecond());
        numbers.putInt(time.getNano());
        numbers.putInt(event.tags().size());
        digest.update(numbers.array());
        add(event.type());
        for (Tag tag : event.tags()) {
            add(tag.value());
        }
        add(event.payload());
        add(event.metadata());
        add(actor == null ? "" : actor.json());
        events++;
    }

    private void add(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        numbers.clear();
        numbers.putInt(bytes.length);
        digest.update(numbers.array(), 0, Integer.BYTES);
        digest.update(bytes);
    }

    /** The number of events so far. */
    long events() {
        return events;
    }

    /** The digest of the events so far. */
    String value() {
        try {
            MessageDigest soFar = (MessageDigest) digest.clone();
            return "sha256:" + HexFormat.of().formatHex(soFar.digest());
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("The SHA-256 of this Java platform cannot be cloned", impossible);
        }
    }
}
