package dev.registrar.eventstore;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Upper bounds of requests to a store, and the form of payloads. The store checks them before it sends a request to the
 * database. A character is a Unicode code point, as in JSON Schema: an emoji is one character, although it is two of a
 * Java string.
 *
 * @param eventsPerAppend events of an append
 * @param appendBytes bytes of all payloads and metadata of an append, in UTF-8
 * @param payloadBytes bytes of one payload, and of one event's metadata, in UTF-8
 * @param typeLength characters of an event type
 * @param tagLength characters of a tag
 * @param tagsPerEvent tags of an event
 * @param tagsPerAppend tags of all events of an append together; each is a row of an index, and other appends wait
 *     while they are written
 * @param itemsPerQuery items of a query, and of all conditions of one append together
 * @param typesPerItem types of one query item
 * @param tagsPerItem tags of one query item
 * @param keyLength characters of an idempotency key, and of the name of a resource
 * @param locksPerAppend resource locks of an append
 * @param jsonOnly whether payloads and metadata must be JSON (RFC 8259) with at most 500 levels; otherwise they may be
 *     any text
 */
public record StoreLimits(
        int eventsPerAppend,
        int appendBytes,
        int payloadBytes,
        int typeLength,
        int tagLength,
        int tagsPerEvent,
        int tagsPerAppend,
        int itemsPerQuery,
        int typesPerItem,
        int tagsPerItem,
        int keyLength,
        int locksPerAppend,
        boolean jsonOnly) {
    /**
     * Up to 1,000 events and 64 MiB for each append; payloads of any text up to 1 MiB; up to 50 tags of 255 characters
     * for each event, and 10,000 tags for each append.
     */
    public static final StoreLimits DEFAULT =
            new StoreLimits(1_000, 64 << 20, 1 << 20, 255, 255, 50, 10_000, 100, 100, 20, 255, 100);

    /**
     * The longest text, in characters, that always fits into a B-tree index entry: 2,704 bytes, less the other columns,
     * at up to 4 bytes for each character.
     */
    private static final int LONGEST_INDEXED_TEXT = 600;

    public StoreLimits {
        Map.ofEntries(
                        Map.entry("eventsPerAppend", eventsPerAppend),
                        Map.entry("appendBytes", appendBytes),
                        Map.entry("payloadBytes", payloadBytes),
                        Map.entry("typeLength", typeLength),
                        Map.entry("tagLength", tagLength),
                        Map.entry("tagsPerEvent", tagsPerEvent),
                        Map.entry("tagsPerAppend", tagsPerAppend),
                        Map.entry("itemsPerQuery", itemsPerQuery),
                        Map.entry("typesPerItem", typesPerItem),
                        Map.entry("tagsPerItem", tagsPerItem),
                        Map.entry("keyLength", keyLength),
                        Map.entry("locksPerAppend", locksPerAppend))
                .forEach((name, limit) -> {
                    if (limit < 1) {
                        throw new IllegalArgumentException("%s must be at least 1 but is %s".formatted(name, limit));
                    }
                });
        if (typeLength + tagLength > LONGEST_INDEXED_TEXT || keyLength > LONGEST_INDEXED_TEXT) {
            throw new IllegalArgumentException(
                    "typeLength + tagLength, and keyLength, must be at most %s but typeLength is %s, tagLength %s and keyLength %s"
                            .formatted(LONGEST_INDEXED_TEXT, typeLength, tagLength, keyLength));
        }
    }

    /** Creates limits for payloads of any text. */
    public StoreLimits(
            int eventsPerAppend,
            int appendBytes,
            int payloadBytes,
            int typeLength,
            int tagLength,
            int tagsPerEvent,
            int tagsPerAppend,
            int itemsPerQuery,
            int typesPerItem,
            int tagsPerItem,
            int keyLength,
            int locksPerAppend) {
        this(
                eventsPerAppend,
                appendBytes,
                payloadBytes,
                typeLength,
                tagLength,
                tagsPerEvent,
                tagsPerAppend,
                itemsPerQuery,
                typesPerItem,
                tagsPerItem,
                keyLength,
                locksPerAppend,
                false);
    }

    /** The same bounds, with or without the requirement that payloads are JSON. */
    public StoreLimits withJsonOnly(boolean value) {
        return new StoreLimits(
                eventsPerAppend,
                appendBytes,
                payloadBytes,
                typeLength,
                tagLength,
                tagsPerEvent,
                tagsPerAppend,
                itemsPerQuery,
                typesPerItem,
                tagsPerItem,
                keyLength,
                locksPerAppend,
                value);
    }

    /** The size of the largest possible event in bytes, in UTF-8. */
    public long largestEvent() {
        return 2L * payloadBytes + 4L * tagsPerEvent * tagLength + 4L * typeLength + Actor.MAX_BYTES;
    }

    /**
     * Checks a request.
     *
     * @return the size of its payloads and metadata in bytes, in UTF-8
     * @throws RefusedInputException if the request exceeds a limit or contains text that cannot be stored
     */
    public long check(Append request) {
        atMost(eventsPerAppend, request.events().size(), "An append", "events");
        long bytes = 0;
        for (Event event : request.events()) {
            bytes += check(event);
        }
        checkSize("An append", bytes);
        atMost(tagsPerAppend, request.tags(), "An append", "tags of its events");
        int items = 0;
        for (AppendCondition condition : request.conditions()) {
            check(condition.failIfEventsMatch());
            items += condition.failIfEventsMatch().items().size();
        }
        atMost(itemsPerQuery, items, "An append", "items in its conditions");
        if (request.idempotencyKey() != null) {
            check(request.idempotencyKey());
        }
        if (request.actor() != null) {
            check(request.actor());
        }
        if (request.locks() != null) {
            atMost(locksPerAppend, request.locks().names().size(), "An append", "resource locks");
            request.locks().names().forEach(name -> checkText("A resource's name", name, keyLength));
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
        atMost(eventsPerAppend, events, "A chain", "events");
        atMost(tagsPerAppend, tags, "A chain", "tags of its events");
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
            item.types().forEach(type -> checkText("An event type", type, typeLength));
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
        atMost(itemsPerQuery, query.items().size(), "A query", "items");
        for (QueryItem item : query.items()) {
            atMost(typesPerItem, item.types().size(), "A query item", "types");
            atMost(tagsPerItem, item.tags().size(), "A query item", "tags");
        }
    }

    /**
     * Checks a key.
     *
     * @throws RefusedInputException if the key is too long or contains text that cannot be stored
     */
    public void check(IdempotencyKey key) {
        checkText("An idempotency key", key.value(), keyLength);
        checkText("A fingerprint", key.fingerprint(), keyLength);
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
        if (bytes > appendBytes) {
            throw new RefusedInputException("%s must have at most %s bytes of payloads and metadata but has %s"
                    .formatted(what, appendBytes, bytes));
        }
    }

    private long check(Event event) {
        checkText("An event type", event.type(), typeLength);
        atMost(tagsPerEvent, event.tags().size(), "An event", "tags");
        checkTags(event.tags());
        return checkData("A payload", event.payload()) + checkData("Metadata", event.metadata());
    }

    private void checkTags(Collection<Tag> tags) {
        tags.forEach(tag -> checkText("A tag", tag.value(), tagLength));
    }

    private long checkData(String what, String data) {
        checkCharacters(what, data);
        long bytes = utf8Bytes(data);
        if (bytes > payloadBytes) {
            throw new RefusedInputException(
                    "%s must have at most %s bytes but has %s".formatted(what, payloadBytes, bytes));
        }
        if (jsonOnly) {
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
}
