package dev.registrar.judges;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.ChainingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.Tag;
import dev.registrar.judges.History.Condition;
import dev.registrar.judges.History.Counting;
import dev.registrar.judges.History.HeadSeen;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The store as a library, in the process of its clients. */
record LibraryInstance(String name, ChainingEventStore store) implements Instance {

    @Override
    public List<Part> append(List<Part> parts, @Nullable String key) {
        try {
            List<Append> requests =
                    parts.stream().map(part -> request(part, key)).toList();
            List<AppendResult> results =
                    requests.size() == 1 ? List.of(store.append(requests.getFirst())) : store.appendChain(requests);
            List<Part> answered = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                answered.add(
                        i < results.size()
                                ? answered(parts.get(i), results.get(i))
                                : parts.get(i).with(Outcome.UNTRIED));
            }
            return answered;
        } catch (OutcomeUnknownException unknown) {
            return parts.stream().map(part -> part.with(Outcome.UNKNOWN)).toList();
        } catch (OverloadedException | StoreTimeoutException | StoreUnavailableException nothingStored) {
            return parts.stream().map(part -> part.with(Outcome.FAILED)).toList();
        }
    }

    private static Append request(Part part, @Nullable String key) {
        List<Event> events = part.events().stream().map(LibraryInstance::event).toList();
        return Append.of(events)
                .onConditions(part.conditions().stream()
                        .map(LibraryInstance::condition)
                        .toList())
                .under(key == null ? null : IdempotencyKey.of(key, events));
    }

    private static Event event(NewEvent event) {
        return Event.of(
                event.id(),
                event.type(),
                event.tags().stream().map(Tag::of).toList(),
                ServiceInstance.DATA,
                Event.NO_METADATA);
    }

    private static AppendCondition condition(Condition condition) {
        return AppendCondition.failIfEventsMatch(query(condition.items())).after(Position.of(condition.after()));
    }

    private static Query query(List<Item> items) {
        return items.isEmpty()
                ? Query.all()
                : new Query(items.stream()
                        .map(item -> QueryItem.of(
                                item.types(), item.tags().stream().map(Tag::of).toList()))
                        .toList());
    }

    private static Part answered(Part part, AppendResult result) {
        return switch (result) {
            case Appended(Position first, Position last, boolean repeated) ->
                part.appendedAt(first.value(), last.value());
            case Conflict(QueryItem item, Position position, String type) -> part.refusedBy(position.value());
            case AppendResult.StoreReplaced() -> throw new IllegalStateException("No history was replaced");
        };
    }

    @Override
    public Reading read(List<Item> items, long after) {
        try (EventStream events =
                store.read(query(items), ReadOptions.forwards().after(Position.of(after)))) {
            List<Long> positions = new ArrayList<>();
            List<Long> ids = new ArrayList<>();
            events.forEachRemaining(event -> {
                positions.add(event.position().value());
                ids.add(event.event().id().getLeastSignificantBits());
            });
            return new Reading(
                    items, after, positions, ids, events.head().position().value());
        } catch (OverloadedException | StoreTimeoutException | StoreUnavailableException failure) {
            throw new NoAnswerException(failure);
        }
    }

    /** Counts by a projection, from the first event on. */
    @Override
    public Counting count(List<Item> items, long after) {
        try {
            Projected projected = store.project(new Count(query(items), after));
            return new Counting(
                    items,
                    after,
                    projected.state(new Count(query(items), after)),
                    projected.head().position().value());
        } catch (OverloadedException | StoreTimeoutException | StoreUnavailableException failure) {
            throw new NoAnswerException(failure);
        }
    }

    private record Count(Query query, long after) implements Projection<Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Long apply(Long state, SequencedEvent event) {
            return event.position().value() > after ? state + 1 : state;
        }
    }

    @Override
    public HeadSeen head() {
        try {
            return new HeadSeen(store.head().position().value());
        } catch (OverloadedException | StoreTimeoutException | StoreUnavailableException failure) {
            throw new NoAnswerException(failure);
        }
    }
}
