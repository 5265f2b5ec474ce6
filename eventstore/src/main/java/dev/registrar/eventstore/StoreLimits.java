package dev.registrar.eventstore;

import dev.registrar.options.Bounds;
import dev.registrar.options.InvalidOptionException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Upper bounds of requests to a store, and the form of payloads. The store checks them before it sends a request to the
 * database. A character is a Unicode code point, as in JSON Schema: an emoji is one character, although it is two of a
 * Java string.
 *
 * @param maxEventsPerAppend events of an append, 1 to 100,000
 * @param maxAppendBytes bytes of all payloads and metadata of an append, in UTF-8, 1 to 500,000,000
 * @param maxPayloadBytes bytes of one payload, and of one event's metadata, in UTF-8, 1 to 100,000,000
 * @param maxTypeLength characters of an event type, 1 to 300
 * @param maxTagLength characters of a tag, 1 to 300
 * @param maxTagsPerEvent tags of an event, 1 to 1,000
 * @param maxTagsPerAppend tags of all events of an append together, 1 to 1,000,000; each is a row of an index, and
 *     other appends wait while they are written
 * @param maxItemsPerQuery items of a query, and of all conditions of one append together, 1 to 1,000
 * @param maxTypesPerItem types of one query item, 1 to 1,000
 * @param maxTagsPerItem tags of one query item, 1 to 1,000
 * @param maxKeyLength characters of an idempotency key, and of the name of a resource, 1 to 600
 * @param maxLocksPerAppend resource locks of an append, 1 to 1,000
 * @param validateJson whether payloads and metadata must be JSON (RFC 8259) with at most 500 levels; otherwise they may
 *     be any text
 */
public record StoreLimits(
        int maxEventsPerAppend,
        int maxAppendBytes,
        int maxPayloadBytes,
        int maxTypeLength,
        int maxTagLength,
        int maxTagsPerEvent,
        int maxTagsPerAppend,
        int maxItemsPerQuery,
        int maxTypesPerItem,
        int maxTagsPerItem,
        int maxKeyLength,
        int maxLocksPerAppend,
        boolean validateJson) {
    /**
     * Up to 1,000 events and 64 MiB for each append; payloads of any text up to 1 MiB; up to 50 tags of 255 characters
     * for each event, and 10,000 tags for each append.
     */
    public static final StoreLimits DEFAULT = new Builder().build();

    /*
     * The texts of an index entry, which are a type and a tag, or a key, have at most 600 characters: a B-tree index
     * entry has up to 2,704 bytes, less the other columns, at up to 4 bytes for each character.
     */
    public StoreLimits {
        Bounds.check("store.maxEventsPerAppend", maxEventsPerAppend, 1, 100_000);
        Bounds.check("store.maxAppendBytes", maxAppendBytes, 1, 500_000_000);
        Bounds.check("store.maxPayloadBytes", maxPayloadBytes, 1, 100_000_000);
        Bounds.check("store.maxTypeLength", maxTypeLength, 1, 300);
        Bounds.check("store.maxTagLength", maxTagLength, 1, 300);
        Bounds.check("store.maxTagsPerEvent", maxTagsPerEvent, 1, 1_000);
        Bounds.check("store.maxTagsPerAppend", maxTagsPerAppend, 1, 1_000_000);
        Bounds.check("store.maxItemsPerQuery", maxItemsPerQuery, 1, 1_000);
        Bounds.check("store.maxTypesPerItem", maxTypesPerItem, 1, 1_000);
        Bounds.check("store.maxTagsPerItem", maxTagsPerItem, 1, 1_000);
        Bounds.check("store.maxKeyLength", maxKeyLength, 1, 600);
        Bounds.check("store.maxLocksPerAppend", maxLocksPerAppend, 1, 1_000);
    }

    /**
     * The default limits, except for those that the caller assigns: {@code with(limits -> limits.maxTagsPerEvent = 5)}.
     *
     * @throws InvalidOptionException if a limit is out of range
     */
    public static StoreLimits with(Consumer<Builder> changes) {
        Builder builder = new Builder();
        changes.accept(builder);
        return builder.build();
    }

    /** The size of the largest possible event in bytes, in UTF-8. */
    public long largestEvent() {
        return 2L * maxPayloadBytes + 4L * maxTagsPerEvent * maxTagLength + 4L * maxTypeLength + Actor.MAX_BYTES;
    }

    /**
     * Checks a request.
     *
     * @return the size of its payloads and metadata in bytes, in UTF-8
     * @throws RefusedInputException if the request exceeds a limit or contains text that cannot be stored
     */
    public long check(Append request) {
        atMost(maxEventsPerAppend, request.events().size(), "An append", "events");
        long bytes = 0;
        for (Event event : request.events()) {
            bytes += check(event);
        }
        checkSize("An append", bytes);
        atMost(maxTagsPerAppend, request.tags(), "An append", "tags of its events");
        int items = 0;
        for (AppendCondition condition : request.conditions()) {
            check(condition.failIfEventsMatch());
            items += condition.failIfEventsMatch().items().size();
        }
        atMost(maxItemsPerQuery, items, "An append", "items in its conditions");
        if (request.idempotencyKey() != null) {
            check(request.idempotencyKey());
        }
        if (request.actor() != null) {
            check(request.actor());
        }
        if (request.locks() != null) {
            atMost(maxLocksPerAppend, request.locks().names().size(), "An append", "resource locks");
            request.locks().names().forEach(name -> checkText("A resource's name", name, maxKeyLength));
        }
        return bytes;
    }

    /**
     * Checks the requests of a chain, each request and all of them together.
     *
     * @return the size of all their payloads and metadata in bytes, in UTF-8
     * @throws RefusedInputException if the requests exceed a limit, contain text that cannot be stored, use an
     *     idempotency key twice, or have resource locks
     */
    public long checkChain(List<Append> requests) {
        if (requests.isEmpty()) {
            throw new RefusedInputException("A chain must have at least one request");
        }
        Set<String> keys = new HashSet<>();
        int events = 0;
        int tags = 0;
        long bytes = 0;
        for (Append request : requests) {
            bytes += check(request);
            if (request.locks() != null) {
                throw new RefusedInputException("A request of a chain must not have resource locks");
            }
            IdempotencyKey key = request.idempotencyKey();
            if (key != null && !keys.add(key.value())) {
                throw new RefusedInputException(
                        "Two requests of a chain have the same idempotency key '%s'".formatted(key.value()));
            }
            events += request.events().size();
            tags += request.tags();
        }
        atMost(maxEventsPerAppend, events, "A chain", "events");
        atMost(maxTagsPerAppend, tags, "A chain", "tags of its events");
        checkSize("A chain", bytes);
        return bytes;
    }

    /**
     * Checks a query.
     *
     * @throws RefusedInputException if the query exceeds a limit or contains text that cannot be stored
     */
    public void check(Query query) {
        checkNumbers(query);
        for (QueryItem item : query.items()) {
            item.types().forEach(type -> checkText("An event type", type, maxTypeLength));
            checkTags(item.tags());
        }
    }

    /**
     * Checks only the numbers of items, types and tags of a query, which the code of an application determines rather
     * than the input of its clients.
     *
     * @throws RefusedInputException if the query exceeds a limit
     */
    public void checkNumbers(Query query) {
        atMost(maxItemsPerQuery, query.items().size(), "A query", "items");
        for (QueryItem item : query.items()) {
            atMost(maxTypesPerItem, item.types().size(), "A query item", "types");
            atMost(maxTagsPerItem, item.tags().size(), "A query item", "tags");
        }
    }

    /**
     * Checks a key.
     *
     * @throws RefusedInputException if the key is too long or contains text that cannot be stored
     */
    public void check(IdempotencyKey key) {
        checkText("An idempotency key", key.value(), maxKeyLength);
        checkText("A fingerprint", key.fingerprint(), maxKeyLength);
    }

    private static void check(Actor actor) {
        checkText("The issuer of an actor", actor.issuer(), Actor.MAX_ISSUER_LENGTH);
        checkText("The subject of an actor", actor.subject(), Actor.MAX_LENGTH);
        if (actor.client() != null) {
            checkText("The client of an actor", actor.client(), Actor.MAX_LENGTH);
        }
        if (actor.onBehalfOf() != null) {
            checkText("The person for whom an actor acts", actor.onBehalfOf(), Actor.MAX_LENGTH);
        }
    }

    private void checkSize(String what, long bytes) {
        if (bytes > maxAppendBytes) {
            throw new RefusedInputException("%s must have at most %s bytes of payloads and metadata but has %s"
                    .formatted(what, maxAppendBytes, bytes));
        }
    }

    private long check(Event event) {
        checkText("An event type", event.type(), maxTypeLength);
        atMost(maxTagsPerEvent, event.tags().size(), "An event", "tags");
        checkTags(event.tags());
        return checkData("A payload", event.payload()) + checkData("Metadata", event.metadata());
    }

    private void checkTags(Collection<Tag> tags) {
        tags.forEach(tag -> checkText("A tag", tag.value(), maxTagLength));
    }

    private long checkData(String what, String data) {
        checkCharacters(what, data);
        long bytes = utf8Bytes(data);
        if (bytes > maxPayloadBytes) {
            throw new RefusedInputException(
                    "%s must have at most %s bytes but has %s".formatted(what, maxPayloadBytes, bytes));
        }
        if (validateJson) {
            checkJson(what, data);
        }
        return bytes;
    }

    private static void checkJson(String what, String data) {
        int error = JsonSyntax.errorIn(data);
        if (error >= 0) {
            throw new RefusedInputException("%s must be JSON of at most %s levels, but it %s"
                    .formatted(
                            what,
                            JsonSyntax.MAX_DEPTH,
                            error == data.length() ? "ends too early" : "is invalid at index " + error));
        }
    }

    private static long utf8Bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            // A surrogate pair takes 4 bytes, so each surrogate counts as 2.
            bytes += character < 0x80 ? 1 : character < 0x800 || Character.isSurrogate(character) ? 2 : 3;
        }
        return bytes;
    }

    private static void checkText(String what, String text, int longest) {
        // A text has at most as many code points as UTF-16 code units, so a short one need not be counted.
        if (text.length() > longest) {
            int length = text.codePointCount(0, text.length());
            if (length > longest) {
                String beginning = text.substring(0, text.offsetByCodePoints(0, Math.min(40, longest)));
                throw new RefusedInputException("%s must have at most %s characters but has %s: '%s…'"
                        .formatted(what, longest, length, beginning));
            }
        }
        checkCharacters(what, text);
    }

    /* PostgreSQL's type text cannot store U+0000, and UTF-8 cannot encode unpaired surrogates. */
    private static void checkCharacters(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character == 0) {
                throw new RefusedInputException(
                        "%s must not contain the character U+0000, but does at index %s".formatted(what, i));
            }
            if (Character.isSurrogate(character)) {
                if (Character.isLowSurrogate(character)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw new RefusedInputException(
                            "%s must not contain an unpaired surrogate, but does at index %s".formatted(what, i));
                }
                i++;
            }
        }
    }

    private static void atMost(int limit, int size, String what, String parts) {
        if (size > limit) {
            throw new RefusedInputException(
                    "%s must have at most %s %s but has %s".formatted(what, limit, parts, size));
        }
    }

    /** The limits while they are assigned, each with its default until then. */
    public static final class Builder {
        public int maxEventsPerAppend = 1_000;
        public int maxAppendBytes = 64 << 20;
        public int maxPayloadBytes = 1 << 20;
        public int maxTypeLength = 255;
        public int maxTagLength = 255;
        public int maxTagsPerEvent = 50;
        public int maxTagsPerAppend = 10_000;
        public int maxItemsPerQuery = 100;
        public int maxTypesPerItem = 100;
        public int maxTagsPerItem = 20;
        public int maxKeyLength = 255;
        public int maxLocksPerAppend = 100;
        public boolean validateJson;

        private Builder() {}

        private StoreLimits build() {
            return new StoreLimits(
                    maxEventsPerAppend,
                    maxAppendBytes,
                    maxPayloadBytes,
                    maxTypeLength,
                    maxTagLength,
                    maxTagsPerEvent,
                    maxTagsPerAppend,
                    maxItemsPerQuery,
                    maxTypesPerItem,
                    maxTagsPerItem,
                    maxKeyLength,
                    maxLocksPerAppend,
                    validateJson);
        }
    }
}
