package dev.registrar.console.explorer;

import dev.registrar.console.ConsoleReads;
import dev.registrar.console.explorer.EventPages.EventPage;
import dev.registrar.console.explorer.EventPages.Range;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.commands.CommandsView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Finds the event that a causation id names: an event with this id, or the first event of a command with this id. The
 * store has no index on either. So the search looks at the commands of the same correlation, which usually have the
 * cause among them, and then at a bounded number of events before the one that was caused.
 */
@Component
final class CauseSearch {
    /** Maximum number of commands of the correlation that are looked at. */
    static final int COMMANDS = 100;

    /** Maximum number of events that one search looks at. */
    static final int EVENTS = 5_000;

    private static final int EVENTS_OF_COMMAND = 50;
    private static final int EVENTS_OF_PAGE = 500;

    private final ConsoleReads reads;
    private final CommandsView commands;
    private final EventPages pages;
    private final Stored stored;
    private final EventStore store;
    private final SearchTime time;

    CauseSearch(
            ConsoleReads reads,
            CommandsView commands,
            EventPages pages,
            Stored stored,
            EventStore store,
            SearchTime time) {
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
        this.stored = stored;
        this.store = store;
        this.time = time;
    }

    /**
     * What a search has found.
     *
     * @param position the cause's; null if it was not found
     * @param searchedTo the lowest position that was looked at
     */
    record Found(@Nullable Position position, long searchedTo) {
        public boolean isComplete() {
            return searchedTo <= 1;
        }
    }

    /** The ids of an event. */
    private record Ids(
            Position position, String event, @Nullable String command) {
        static Ids of(SequencedEvent event) {
            return new Ids(
                    event.position(),
                    event.event().id().toString(),
                    EventMetadata.parse(event.event().metadata())
                            .map(EventMetadata::commandId)
                            .orElse(null));
        }
    }

    /** @param at the highest position to look at; null to begin with the commands of the correlation */
    Found search(SequencedEvent caused, String causation, @Nullable Position at) {
        if (at == null) {
            Position found = amongCommands(caused, causation);
            if (found != null) {
                return new Found(found, found.value());
            }
        }
        Position before = Positions.before(caused.position());
        return backwards(causation, at == null || at.isAfter(before) ? before : at);
    }

    private @Nullable Position amongCommands(SequencedEvent caused, String causation) {
        String correlation = EventMetadata.parse(caused.event().metadata())
                .map(EventMetadata::correlationId)
                .orElse(null);
        if (correlation == null || !CorrelationController.isKnown(correlation)) {
            return null;
        }
        CommandsView.Page page = reads.read(
                        commands, tables -> CommandsView.ofCorrelation(tables, correlation, null, COMMANDS))
                .found();
        for (CommandsView.Command command : page.commands()) {
            if (command.first().isAfter(caused.position())) {
                continue;
            }
            if (command.id().toString().equals(causation)) {
                return command.first();
            }
            for (SequencedEvent event : stored.between(command.first(), command.last(), EVENTS_OF_COMMAND)) {
                if (event.event().id().toString().equals(causation)) {
                    return event.position();
                }
            }
        }
        return null;
    }

    /*
     * The events of a command are next to each other, because one append stored them. A search that reaches its bound
     * among them goes on to the first, at most as far as an append is long.
     */
    private Found backwards(String causation, Position from) {
        Position upTo = from;
        Position inCommand = null;
        long started = System.nanoTime();
        Duration left = time.most();
        int most = EVENTS;
        for (int seen = 0; seen < most && upTo.isAfter(Position.START) && (inCommand != null || left.isPositive()); ) {
            Range range = new Range(Position.START, upTo, Direction.BACKWARDS);
            EventPage<Ids> page = pages.page(Query.all(), range, EVENTS_OF_PAGE, left, Ids::of);
            for (Ids ids : page.events()) {
                if (causation.equals(ids.event())) {
                    return new Found(ids.position(), ids.position().value());
                }
                if (causation.equals(ids.command())) {
                    inCommand = ids.position();
                } else if (inCommand != null) {
                    return new Found(inCommand, inCommand.value());
                }
            }
            seen += page.events().size();
            most = EVENTS + (inCommand == null ? 0 : store.limits().maxEventsPerAppend());
            upTo = page.next().orElse(Position.START);
            left = time.left(started);
        }
        return new Found(inCommand, upTo.value() + 1);
    }
}
