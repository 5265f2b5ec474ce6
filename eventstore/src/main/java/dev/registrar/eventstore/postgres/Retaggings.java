package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.RetaggingEventStore;
import dev.registrar.eventstore.RetaggingEventStore.Retagged;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Adds tags to the stored events of a store. */
final class Retaggings {
    /** How long a call may take; appends wait meanwhile, as long as their own time-outs let them. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Database database;
    private final StoreLimits limits;
    private final @Nullable InstantSource clock;
    private final Consumer<Append> listener;
    private final String retagging;

    /**
     * The answer of the function.
     *
     * @param matched the number of events that the query matches; above the maximum: at least that many
     * @param full the position of the first event that would have too many tags; null if there is none
     * @param tagged the number of events that were given tags
     * @param position of the appended event; null if no event was given tags
     */
    private record Answer(
            int matched,
            @Nullable Long full,
            int tagged,
            @Nullable Long position) {}

    /**
     * @param clock stamps the appended events; null for the clock of the server
     * @param listener is told of each appended event
     */
    Retaggings(
            Database database,
            String schema,
            StoreLimits limits,
            @Nullable InstantSource clock,
            Consumer<Append> listener) {
        this.database = database;
        this.limits = limits;
        this.clock = clock;
        this.listener = listener;
        this.retagging =
                "select matched, full_position, tagged, position from %s.retag_events(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        .formatted(schema);
    }

    Retagged retag(Query query, Set<Tag> added, Actor actor, String reason) {
        limits.check(query);
        if (added.isEmpty()) {
            throw new RefusedInputException("At least one tag to add is needed, but there is none");
        }
        Event marker = TagsAdded.of(added);
        Append append = Append.of(marker).by(actor);
        limits.check(append);
        limits.check(Append.of(Event.of(TagsAdded.TYPE, added, "[]")));
        Erasures.checkReason("added tags", reason);
        Answer answer = call(query, added, marker, actor, reason);
        if (answer.matched() > RetaggingEventStore.MAX_EVENTS) {
            throw new RefusedInputException(
                    "One call adds tags to at most %s events, but the query matches more; narrow it by types or tags"
                            .formatted(RetaggingEventStore.MAX_EVENTS));
        }
        if (answer.full() != null) {
            throw new RefusedInputException(
                    "An event must have at most %s tags, but that at position %s would have more"
                            .formatted(limits.maxTagsPerEvent(), answer.full()));
        }
        if (answer.position() == null) {
            return new Retagged(0, null);
        }
        listener.accept(append);
        return new Retagged(answer.tagged(), Position.of(answer.position()));
    }

    private Answer call(Query query, Set<Tag> added, Event marker, Actor actor, String reason) {
        List<QueryItem> items = query.items();
        return database.once(
                LONGEST,
                retagging,
                Failures::append,
                statement -> new Parameters(statement)
                        .add(items.stream()
                                .map(item -> ArrayText.ofTags(item.tags()))
                                .toArray(String[]::new))
                        .add(items.stream()
                                .map(item -> ArrayText.of(item.types()))
                                .toArray(String[]::new))
                        .add(added.stream().map(Tag::value).toArray(String[]::new))
                        .add(RetaggingEventStore.MAX_EVENTS)
                        .add(limits.maxTagsPerEvent())
                        .add(marker.id())
                        .add(marker.type())
                        .add(marker.payload())
                        .add(clock == null ? null : clock.instant().truncatedTo(ChronoUnit.MICROS))
                        .add(actor.json())
                        .add(reason)
                        .add(query.digest())
                        .only(row -> new Answer(
                                row.getInt("matched"),
                                row.getObject("full_position", Long.class),
                                row.getInt("tagged"),
                                row.getObject("position", Long.class))));
    }
}
