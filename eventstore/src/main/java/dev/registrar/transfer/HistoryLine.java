package dev.registrar.transfer;

import static tools.jackson.databind.cfg.CoercionAction.Fail;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.ImportConnection.ImportedEvent;
import dev.registrar.eventstore.postgres.StoredKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * A line of a file: an event; an idempotency key, which follows the events; or the end, which is the last line of an
 * export and tells a whole file from a truncated one.
 *
 * @param position the event's position; null in a file that another program has made
 * @param recordedAt when the store recorded the event: a time of ISO 8601 with an offset
 * @param originalTime when another store recorded it first, if that is known
 * @param metadata none if null
 */
@JsonPropertyOrder({"position", "id", "type", "recordedAt", "originalTime", "tags", "payload", "metadata", "actor"})
record HistoryLine(
        @Nullable Long position,
        @Nullable UUID id,
        @Nullable String type,
        @Nullable String recordedAt,
        @Nullable String originalTime,
        @Nullable List<String> tags,
        @Nullable String payload,
        @Nullable String metadata,
        @Nullable Actor actor,
        @Nullable Key key,
        @Nullable End end) {

    /** A store's time has microseconds, in a year of four digits. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .withCoercionConfig(
                    LogicalType.Textual,
                    texts -> texts.setCoercion(CoercionInputShape.Integer, Fail)
                            .setCoercion(CoercionInputShape.Float, Fail)
                            .setCoercion(CoercionInputShape.Boolean, Fail))
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(Include.NON_NULL))
            .build();

    private static final ObjectReader READER = JSON.readerFor(HistoryLine.class);
    private static final ObjectWriter WRITER = JSON.writerFor(HistoryLine.class);

    /** An idempotency key. */
    record Key(
            @Nullable String key,
            @Nullable String fingerprint,
            long firstPosition,
            long lastPosition,
            @Nullable String recordedAt) {}

    /**
     * The end of a file: the numbers of its events and keys, and the digest of the events.
     *
     * @param tagSecret the check value of the secret under which tags are made; null if there is none
     */
    record End(
            long events,
            long keys,
            @Nullable String digest,
            @Nullable String tagSecret) {}

    static HistoryLine of(SequencedEvent stored) {
        Event event = stored.event();
        Instant original = stored.originalTime();
        return new HistoryLine(
                stored.position().value(),
                event.id(),
                event.type(),
                stored.recordedAt().toString(),
                original == null ? null : original.toString(),
                event.tags().stream().map(Tag::value).toList(),
                event.payload(),
                event.metadata(),
                stored.actor(),
                null,
                null);
    }

    static HistoryLine of(StoredKey key) {
        return new HistoryLine(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                new Key(
                        key.key(),
                        key.fingerprint(),
                        key.first().value(),
                        key.last().value(),
                        key.recordedAt().toString()),
                null);
    }

    static HistoryLine of(End end) {
        return new HistoryLine(null, null, null, null, null, null, null, null, null, null, end);
    }

    /** The line as JSON in UTF-8, with its end. */
    byte[] bytes() {
        byte[] json = WRITER.writeValueAsBytes(this);
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    /**
     * Parses a line.
     *
     * @param number the number of the line
     * @throws HistoryException if it is not a line of this kind
     */
    static HistoryLine parse(byte[] text, int length, long number) {
        try {
            return READER.readValue(text, 0, length);
        } catch (JacksonException failure) {
            throw new HistoryException(number, failure.getOriginalMessage());
        }
    }

    /**
     * The event of the line.
     *
     * @throws HistoryException if the line lacks a part of it
     */
    ImportedEvent event(long line) {
        try {
            List<String> texts = required(line, "tags", tags);
            if (texts.contains(null)) {
                throw new HistoryException(line, "a tag must be a text but is null");
            }
            List<Tag> found = texts.stream().map(Tag::new).toList();
            Event event = Event.of(
                    required(line, "id", id),
                    required(line, "type", type),
                    found,
                    required(line, "payload", payload),
                    metadata == null ? Event.NO_METADATA : metadata);
            return new ImportedEvent(
                    event,
                    time(line, "recordedAt", required(line, "recordedAt", recordedAt)),
                    originalTime == null ? null : time(line, "originalTime", originalTime),
                    actor);
        } catch (RuntimeException refused) {
            throw refused instanceof HistoryException known
                    ? known
                    : new HistoryException(line, String.valueOf(refused.getMessage()));
        }
    }

    /** The idempotency key of a line that has one. */
    static StoredKey storedKey(Key key, long line) {
        if (key.firstPosition < 1 || key.lastPosition < key.firstPosition) {
            throw new HistoryException(
                    line,
                    "the positions of a key must be 1 or more, in order, but are %s and %s"
                            .formatted(key.firstPosition, key.lastPosition));
        }
        return new StoredKey(
                required(line, "key", key.key),
                required(line, "fingerprint", key.fingerprint),
                Position.of(key.firstPosition),
                Position.of(key.lastPosition),
                time(line, "recordedAt", required(line, "recordedAt", key.recordedAt)));
    }

    private static <T> T required(long line, String name, @Nullable T value) {
        if (value == null) {
            throw new HistoryException(line, "it lacks '%s'".formatted(name));
        }
        return value;
    }

    private static Instant time(long line, String name, String text) {
        Instant time;
        try {
            time = Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
        } catch (DateTimeException failure) {
            throw new HistoryException(
                    line, "'%s' must be a time such as 2026-09-01T08:00:00.123456Z but is '%s'".formatted(name, text));
        }
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw new HistoryException(line, "'%s' must be in the years 1 to 9999 but is %s".formatted(name, time));
        }
        return time;
    }
}
