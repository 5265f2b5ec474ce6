package dev.registrar.judges;

import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Condition;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import dev.registrar.judges.History.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a wrong store would have left in a history: a judge must see each of these. */
enum PlantedFault {
    /** An append is stored that was decided on before a match. */
    LOST_UPDATE("a") {
        @Override
        History in(History history) {
            Log log = new Log(history.start(), history.log());
            return withCall(
                    history,
                    call -> onCondition(call, condition -> {
                        List<Long> before = log.matches(condition.items(), history.start(), condition.after());
                        return before.isEmpty() ? null : new Condition(condition.items(), before.getLast() - 1);
                    }));
        }
    },
    /** An append is stored although an event of a type that its condition names was stored meanwhile. */
    PHANTOM("a") {
        @Override
        History in(History history) {
            Log log = new Log(history.start(), history.log());
            return withCall(
                    history,
                    call -> onCondition(call, condition -> {
                        if (condition.items().isEmpty()
                                || condition.after() < history.start()
                                || condition.after() + 1 >= firstOf(call)) {
                            return null;
                        }
                        List<Item> items = new ArrayList<>(condition.items());
                        items.add(new Item(List.of(log.at(condition.after() + 1).type()), List.of()));
                        return new Condition(items, condition.after());
                    }));
        }
    },
    /** An append is sent twice under its key, and stored twice. */
    DUPLICATE("f") {
        @Override
        History in(History history) {
            for (Call call : history.calls()) {
                Part part = appended(call);
                if (part != null && Objects.requireNonNull(call.append()).key() != null) {
                    List<Stored> log = new ArrayList<>(history.log());
                    long head = history.start() + log.size();
                    part.events()
                            .forEach(event -> log.add(new Stored(
                                    history.start() + log.size() + 1, event.id(), event.type(), event.tags(), null)));
                    List<Call> calls = new ArrayList<>(history.calls());
                    long invoked = lastReturn(history) + 1;
                    Part again = part.appendedAt(head + 1, head + part.events().size());
                    calls.add(with(call, invoked, invoked + 1, again));
                    return new History(history.start(), calls, log);
                }
            }
            throw nowhere();
        }
    },
    /** The log has lost its last events, which were acknowledged. */
    LOST_ACKNOWLEDGEMENT("f") {
        @Override
        History in(History history) {
            long last = history.calls().stream()
                    .map(PlantedFault::appended)
                    .filter(Objects::nonNull)
                    .mapToLong(part -> Objects.requireNonNull(part.first()))
                    .max()
                    .orElseThrow();
            return new History(
                    history.start(),
                    history.calls(),
                    history.log().subList(0, Math.toIntExact(last - history.start() - 1)));
        }
    },
    /** An event appears below a position that a reader has passed. */
    LATE_LOW_POSITION("d") {
        @Override
        History in(History history) {
            return withCall(history, call -> {
                Reading read = call.read();
                if (read == null || read.positions().size() < 2) {
                    return null;
                }
                int size = read.positions().size();
                List<Long> positions = read.positions().subList(1, size);
                List<Long> ids = read.ids().subList(1, size);
                return Call.of(
                        call.client(),
                        call.instance(),
                        call.invoked(),
                        Objects.requireNonNull(call.returned()),
                        new Reading(read.items(), read.after(), positions, ids, read.head()));
            });
        }
    };

    private final String rule;

    PlantedFault(String rule) {
        this.rule = rule;
    }

    /** The letter of the rule that {@link Checker} must find broken. */
    String rule() {
        return rule;
    }

    /** The history with this fault in one of its calls. */
    abstract History in(History history);

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static long lastReturn(History history) {
        return history.calls().stream()
                .filter(call -> call.returned() != null)
                .mapToLong(call -> Objects.requireNonNull(call.returned()))
                .max()
                .orElseThrow();
    }

    /** Replaces the first call for which there is a replacement. */
    static History withCall(History history, Function<Call, @Nullable Call> replacement) {
        List<Call> calls = new ArrayList<>(history.calls());
        for (int i = 0; i < calls.size(); i++) {
            Call replaced = replacement.apply(calls.get(i));
            if (replaced != null) {
                calls.set(i, replaced);
                return new History(history.start(), calls, history.log());
            }
        }
        throw nowhere();
    }

    private static IllegalStateException nowhere() {
        return new IllegalStateException("No call of this history can have such a fault");
    }

    private static @Nullable Call onCondition(Call call, Function<Condition, @Nullable Condition> replacement) {
        Part part = appended(call);
        if (part == null
                || part.conditions().size() != 1
                || Objects.requireNonNull(call.append()).key() != null) {
            return null;
        }
        Condition replaced = replacement.apply(part.conditions().getFirst());
        return replaced == null
                ? null
                : with(
                        call,
                        call.invoked(),
                        call.returned(),
                        new Part(part.events(), List.of(replaced), Outcome.APPENDED, part.first(), part.last(), null));
    }

    private static long firstOf(Call call) {
        return Objects.requireNonNull(Objects.requireNonNull(appended(call)).first());
    }

    /** The part of an append that was stored; null if it is a chain or something else. */
    private static @Nullable Part appended(Call call) {
        Part part = call.append() == null || call.append().parts().size() > 1
                ? null
                : call.append().parts().getFirst();
        return part == null || part.outcome() != Outcome.APPENDED ? null : part;
    }

    private static Call with(Call call, long invoked, @Nullable Long returned, Part part) {
        History.Appending append = Objects.requireNonNull(call.append());
        return Call.of(
                call.client(),
                call.instance(),
                invoked,
                returned,
                new History.Appending(append.key(), append.decidedOn(), List.of(part)));
    }
}
