package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
        KEYS("key_requests", "key_first_events", "key_last_events", "keys", "fingerprints", "keys_retention"),
        RESOURCES("resource_requests", "resources", "resource_wait");

        private final String text;

        Part(String... names) {
            text = String.join(" => ?, ", names) + " => ?";
        }
    }

    private final List<AppendEntry> group;
    private final @Nullable Instant recordedAt;
    private final Duration keysRetention;
    private final @Nullable Duration resourceWait;
    private final ConditionColumns conditions;
    private boolean checked;
    private int keys;
    private int events;
    private int resources;

    /**
     * Creates the arguments.
     *
     * @param conditions those of the group, to which the heads of checks are added
     * @param recordedAt the time of the events; null for that of the server
     * @param resourceWait how long to wait for resource locks; null not to wait
     */
    AppendArguments(
            List<AppendEntry> group,
            ConditionColumns conditions,
            @Nullable Instant recordedAt,
            Duration keysRetention,
            @Nullable Duration resourceWait) {
        this.group = group;
        this.recordedAt = recordedAt;
        this.keysRetention = keysRetention;
        this.resourceWait = resourceWait;
        this.conditions = conditions;
        group.forEach(this::count);
    }

    private void count(AppendEntry entry) {
        Append request = entry.request();
        if (entry.checked() != null) {
            checked = true;
            conditions.number(entry.checked().upTo());
        }
        if (request.idempotencyKey() != null) {
            keys++;
        }
        if (request.locks() != null) {
            resources += request.locks().names().size();
        }
        events += entry.events();
    }

    /** The parts that this group needs. Groups with the same parts use the same statement. */
    Set<Part> parts() {
        Set<Part> parts = EnumSet.of(Part.REQUESTS, Part.EVENTS);
        if (!conditions.heads().isEmpty()) {
            parts.add(Part.HEADS);
        }
        if (conditions.size > 0) {
            parts.add(Part.ITEMS);
        }
        if (checked) {
            parts.add(Part.CHECKS);
        }
        if (keys > 0) {
            parts.add(Part.KEYS);
        }
        if (resources > 0) {
            parts.add(Part.RESOURCES);
        }
        return parts;
    }

    /** The argument list of a call with the given parts. */
    static String placeholders(Set<Part> parts) {
        return parts.stream().map(part -> part.text).collect(Collectors.joining(", "));
    }

    void bind(PreparedStatement statement) throws SQLException {
        Parameters parameters = new Parameters(statement);
        for (Part part : parts()) {
            switch (part) {
                case REQUESTS -> bindRequests(parameters);
                case EVENTS -> bindEvents(parameters);
                case HEADS -> parameters.add(conditions.heads());
                case ITEMS -> bindItems(parameters);
                case CHECKS -> bindChecks(parameters);
                case KEYS -> bindKeys(parameters);
                case RESOURCES -> bindResources(parameters);
            }
        }
    }

    private void bindRequests(Parameters parameters) throws SQLException {
        int size = group.size();
        int[] eventCounts = new int[size];
        boolean[] continues = new boolean[size];
        @Nullable String[] actors = new String[size];
        for (int i = 0; i < size; i++) {
            AppendEntry entry = group.get(i);
            eventCounts[i] = entry.events();
            continues[i] = entry.continues();
            actors[i] = entry.actor();
        }
        parameters.add(eventCounts);
        parameters.add(continues);
        parameters.add(actors);
    }

    private void bindEvents(Parameters parameters) throws SQLException {
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
                tagArrays[n] = ArrayText.of(ConditionColumns.texts(event.tags()));
                payloads[n] = event.payload();
                metadata[n] = event.metadata();
                n++;
            }
        }
        parameters.add(requests);
        parameters.add(ids);
        parameters.add(types);
        parameters.add(tagArrays);
        parameters.add(payloads);
        parameters.add(metadata);
        parameters.add(recordedAt);
    }

    private void bindItems(Parameters parameters) throws SQLException {
        parameters.add(conditions.requests);
        parameters.add(conditions.afters);
        parameters.add(conditions.headNumbers);
        parameters.add(conditions.firstTags);
        parameters.add(conditions.secondTags);
        parameters.add(conditions.tags);
        parameters.add(conditions.types);
    }

    private void bindChecks(Parameters parameters) throws SQLException {
        int[] checks = new int[conditions.size];
        long[] matches = new long[conditions.size];
        for (int n = 0, first = 0; n < conditions.size; n++) {
            int request = conditions.requests[n];
            first = n > 0 && conditions.requests[n - 1] == request ? first : n;
            CheckedConditions ofRequest = group.get(request - 1).checked();
            if (ofRequest != null) {
                checks[n] = conditions.number(ofRequest.upTo());
                matches[n] = ofRequest.matches().get(n - first).value();
            }
        }
        parameters.add(checks);
        parameters.add(matches);
    }

    private void bindKeys(Parameters parameters) throws SQLException {
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
        parameters.add(requests);
        parameters.add(firstEvents);
        parameters.add(lastEvents);
        parameters.add(values);
        parameters.add(fingerprints);
        parameters.add(keysRetention);
    }

    private void bindResources(Parameters parameters) throws SQLException {
        int[] requests = new int[resources];
        String[] names = new String[resources];
        int n = 0;
        for (int i = 0; i < group.size(); i++) {
            ResourceLocks locks = group.get(i).request().locks();
            if (locks != null) {
                for (String name : locks.names()) {
                    requests[n] = i + 1;
                    names[n] = name;
                    n++;
                }
            }
        }
        parameters.add(requests);
        parameters.add(names);
        parameters.addInteger(resourceWait == null ? null : Math.toIntExact(resourceWait.toMillis()));
    }
}
