package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGInterval;

/**
 * A group of requests as the flat arrays that append_events takes. Numbers start at 1. The call uses named arguments
 * and omits the parts that the group does not need.
 */
final class AppendArguments {
    /** Arguments that a call passes together or omits together, in binding order. */
    enum Part {
        REQUESTS("event_counts", "continues", "actors"),
        EVENTS(
                "event_requests",
                "event_ids",
                "event_types",
                "event_tags",
                "event_payloads",
                "event_metadata",
                "recorded_at"),
        HEADS("head_incarnations", "head_positions", "head_event_ids"),
        ITEMS(
                "item_requests",
                "item_afters",
                "item_heads",
                "item_first_tags",
                "item_second_tags",
                "item_tags",
                "item_types"),
        CHECKS("item_checks", "item_matches"),
        KEYS("key_requests", "key_first_events", "key_last_events", "keys", "fingerprints", "keys_retention");

        private final String text;

        Part(String... names) {
            text = String.join(" => ?, ", names) + " => ?";
        }
    }

    private final List<AppendEntry> group;
    private final @Nullable Instant recordedAt;
    private final Duration keysRetention;
    private final Map<Head, Integer> heads = new LinkedHashMap<>();
    private int items;
    private boolean checked;
    private int keys;
    private int events;

    AppendArguments(List<AppendEntry> group, @Nullable Instant recordedAt, Duration keysRetention) {
        this.group = group;
        this.recordedAt = recordedAt;
        this.keysRetention = keysRetention;
        group.forEach(this::count);
    }

    private void count(AppendEntry entry) {
        for (AppendCondition condition : entry.request().conditions()) {
            items += condition.failIfEventsMatch().items().size();
            if (condition.basis() != null) {
                heads.putIfAbsent(condition.basis(), heads.size() + 1);
            }
        }
        if (entry.checked() != null) {
            checked = true;
            heads.putIfAbsent(entry.checked().upTo(), heads.size() + 1);
        }
        if (entry.request().idempotencyKey() != null) {
            keys++;
        }
        if (!entry.verdictOnly()) {
            events += entry.request().events().size();
        }
    }

    /** The parts that this group needs. Groups with the same parts use the same statement. */
    Set<Part> parts() {
        Set<Part> parts = EnumSet.of(Part.REQUESTS, Part.EVENTS);
        if (!heads.isEmpty()) {
            parts.add(Part.HEADS);
        }
        if (items > 0) {
            parts.add(Part.ITEMS);
        }
        if (checked) {
            parts.add(Part.CHECKS);
        }
        if (keys > 0) {
            parts.add(Part.KEYS);
        }
        return parts;
    }

    /** The argument list of a call with the given parts. */
    static String placeholders(Set<Part> parts) {
        return parts.stream().map(part -> part.text).collect(Collectors.joining(", "));
    }

    /**
     * Binds the arguments.
     *
     * @param bound the number of parameters before them
     */
    void bind(PreparedStatement statement, int bound) throws SQLException {
        Binder binder = new Binder(statement, bound);
        for (Part part : parts()) {
            switch (part) {
                case REQUESTS -> bindRequests(binder);
                case EVENTS -> bindEvents(binder);
                case HEADS -> bindHeads(binder, heads.keySet());
                case ITEMS -> bindItems(binder);
                case CHECKS -> bindChecks(binder);
                case KEYS -> bindKeys(binder);
            }
        }
    }

    private void bindRequests(Binder binder) throws SQLException {
        int size = group.size();
        int[] eventCounts = new int[size];
        boolean[] continues = new boolean[size];
        @Nullable String[] actors = new String[size];
        for (int i = 0; i < size; i++) {
            AppendEntry entry = group.get(i);
            eventCounts[i] = entry.events();
            continues[i] = entry.continues();
            actors[i] = text(entry.request().actor());
        }
        binder.add(eventCounts);
        binder.add(continues);
        binder.add(actors);
    }

    /** The text that the store keeps of an actor. */
    static @Nullable String text(@Nullable Actor actor) {
        return actor == null ? null : actor.json();
    }

    /** Binds heads as three arrays, in their order. */
    static void bindHeads(Binder binder, Collection<Head> heads) throws SQLException {
        UUID[] incarnations = new UUID[heads.size()];
        long[] positions = new long[heads.size()];
        @Nullable UUID[] eventIds = new UUID[heads.size()];
        int n = 0;
        for (Head head : heads) {
            incarnations[n] = head.incarnation();
            positions[n] = head.position().value();
            eventIds[n] = head.lastEventId();
            n++;
        }
        binder.add(incarnations);
        binder.add(positions);
        binder.add(eventIds);
    }

    /** Binds one head. */
    static void bindHead(Binder binder, Head head) throws SQLException {
        binder.add(head.incarnation());
        binder.add(head.position().value());
        binder.add(head.lastEventId());
    }

    private void bindItems(Binder binder) throws SQLException {
        int[] requests = new int[items];
        long[] afters = new long[items];
        int[] headNumbers = new int[items];
        ItemColumns columns = new ItemColumns(items);
        int n = 0;
        for (int i = 0; i < group.size(); i++) {
            for (AppendCondition condition : group.get(i).request().conditions()) {
                int head = condition.basis() == null ? 0 : heads.getOrDefault(condition.basis(), 0);
                for (QueryItem item : condition.failIfEventsMatch().items()) {
                    requests[n] = i + 1;
                    afters[n] = condition.after().value();
                    headNumbers[n] = head;
                    columns.set(n, item);
                    n++;
                }
            }
        }
        binder.add(requests);
        binder.add(afters);
        binder.add(headNumbers);
        columns.bind(binder);
    }

    private void bindChecks(Binder binder) throws SQLException {
        int[] checks = new int[items];
        long[] matches = new long[items];
        int n = 0;
        for (AppendEntry entry : group) {
            CheckedConditions ofEntry = entry.checked();
            int head = ofEntry == null ? 0 : heads.getOrDefault(ofEntry.upTo(), 0);
            int first = n;
            for (AppendCondition condition : entry.request().conditions()) {
                n += condition.failIfEventsMatch().items().size();
            }
            for (int i = first; ofEntry != null && i < n; i++) {
                checks[i] = head;
                matches[i] = ofEntry.matches().get(i - first).value();
            }
        }
        binder.add(checks);
        binder.add(matches);
    }

    private void bindKeys(Binder binder) throws SQLException {
        int[] requests = new int[keys];
        int[] firstEvents = new int[keys];
        int[] lastEvents = new int[keys];
        String[] values = new String[keys];
        String[] fingerprints = new String[keys];
        int n = 0;
        int eventsBefore = 0;
        for (int i = 0; i < group.size(); i++) {
            AppendEntry entry = group.get(i);
            IdempotencyKey key = entry.request().idempotencyKey();
            if (key != null) {
                requests[n] = i + 1;
                firstEvents[n] = eventsBefore + 1;
                lastEvents[n] = eventsBefore + entry.events();
                values[n] = key.value();
                fingerprints[n] = key.fingerprint();
                n++;
            }
            eventsBefore += entry.events();
        }
        binder.add(requests);
        binder.add(firstEvents);
        binder.add(lastEvents);
        binder.add(values);
        binder.add(fingerprints);
        binder.add(keysRetention);
    }

    private void bindEvents(Binder binder) throws SQLException {
        int[] requests = new int[events];
        UUID[] ids = new UUID[events];
        String[] types = new String[events];
        String[] tagArrays = new String[events];
        String[] payloads = new String[events];
        String[] metadata = new String[events];
        int n = 0;
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i).verdictOnly()) {
                continue;
            }
            for (Event event : group.get(i).request().events()) {
                requests[n] = i + 1;
                ids[n] = event.id();
                types[n] = event.type();
                tagArrays[n] = ArrayText.of(texts(event.tags()));
                payloads[n] = event.payload();
                metadata[n] = event.metadata();
                n++;
            }
        }
        binder.add(requests);
        binder.add(ids);
        binder.add(types);
        binder.add(tagArrays);
        binder.add(payloads);
        binder.add(metadata);
        binder.add(recordedAt);
    }

    static List<String> texts(Set<Tag> tags) {
        List<String> texts = new ArrayList<>(tags.size());
        for (Tag tag : tags) {
            texts.add(tag.value());
        }
        return texts;
    }

    /** Query items as columns. The first two tags have columns of their own, because most items have at most two. */
    static final class ItemColumns {
        private final @Nullable String[] firstTags;
        private final @Nullable String[] secondTags;
        private final @Nullable String[] tags;
        private final String[] types;

        ItemColumns(int items) {
            firstTags = new String[items];
            secondTags = new String[items];
            tags = new String[items];
            types = new String[items];
        }

        void set(int n, QueryItem item) {
            Iterator<Tag> each = item.tags().iterator();
            firstTags[n] = each.hasNext() ? each.next().value() : null;
            secondTags[n] = each.hasNext() ? each.next().value() : null;
            tags[n] = item.tags().isEmpty() || each.hasNext() ? ArrayText.of(texts(item.tags())) : null;
            types[n] = ArrayText.of(item.types());
        }

        void bind(Binder binder) throws SQLException {
            binder.add(firstTags);
            binder.add(secondTags);
            binder.add(tags);
            binder.add(types);
        }
    }

    /** Binds the parameters of a statement in order. */
    static final class Binder {
        private final PreparedStatement statement;
        private int bound;

        Binder(PreparedStatement statement, int bound) {
            this.statement = statement;
            this.bound = bound;
        }

        void add(@Nullable Object value) throws SQLException {
            statement.setObject(++bound, value);
        }

        void add(@Nullable String text) throws SQLException {
            statement.setString(++bound, text);
        }

        void add(@Nullable String[] texts) throws SQLException {
            statement.setArray(++bound, statement.getConnection().createArrayOf("text", texts));
        }

        void add(@Nullable UUID[] ids) throws SQLException {
            statement.setArray(++bound, statement.getConnection().createArrayOf("uuid", ids));
        }

        /* PGInterval is known to the driver; for other types it would ask the server, at the cost of a round trip. */
        void add(Duration duration) throws SQLException {
            statement.setObject(++bound, new PGInterval(0, 0, 0, 0, 0, duration.toMillis() / 1e3));
        }

        void add(@Nullable Instant instant) throws SQLException {
            if (instant == null) {
                statement.setNull(++bound, Types.TIMESTAMP_WITH_TIMEZONE);
            } else {
                statement.setObject(++bound, instant.atOffset(ZoneOffset.UTC));
            }
        }
    }
}
