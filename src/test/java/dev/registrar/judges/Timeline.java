package dev.registrar.judges;

import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Stored;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the clients' clock says of the log: when each event was appended, and how far the log was at a time. */
final class Timeline {
    static final long NEVER = Long.MAX_VALUE;

    private final History history;
    private final Map<UUID, Long> storedAt = new HashMap<>();
    private final Map<Long, Effect> effects = new HashMap<>();
    private final TreeMap<Long, Long> known = new TreeMap<>();
    private final TreeMap<Long, Long> begun = new TreeMap<>();

    /**
     * When the append of an event took effect.
     *
     * @param invoked at the earliest
     * @param returned at the latest; {@link #NEVER} if no answer says so
     */
    record Effect(long invoked, long returned) {
        Effect or(Effect other) {
            return new Effect(Math.min(invoked, other.invoked), Math.min(returned, other.returned));
        }
    }

    Timeline(History history) {
        this.history = history;
        history.log().forEach(event -> storedAt.putIfAbsent(event.id(), event.position()));
        history.calls().forEach(this::noteEffects);
        noteKnown();
        long latest = Long.MIN_VALUE;
        for (Stored event : history.log()) {
            Effect effect = effects.get(event.position());
            if (effect != null && effect.invoked > latest) {
                latest = effect.invoked;
                begun.put(latest, event.position());
            }
        }
    }

    private void noteEffects(Call call) {
        if (call.append() != null) {
            for (Part part : call.append().parts()) {
                long returned = part.outcome() == Outcome.APPENDED ? Objects.requireNonNull(call.returned()) : NEVER;
                for (NewEvent event : part.events()) {
                    note(storedAt.get(event.id()), call.invoked(), returned);
                }
            }
        } else if (call.command() != null && call.command().status() == 201) {
            note(call.command().position(), call.invoked(), Objects.requireNonNull(call.returned()));
        }
    }

    private void note(@Nullable Long position, long invoked, long returned) {
        if (position != null) {
            effects.merge(position, new Effect(invoked, returned), Effect::or);
        }
    }

    private void noteKnown() {
        TreeMap<Long, Long> seen = new TreeMap<>();
        effects.forEach((position, effect) -> seen.merge(effect.returned, position, Math::max));
        for (Call call : history.calls()) {
            Long head = headOf(call);
            if (head != null && call.returned() != null) {
                seen.merge(call.returned(), head, Math::max);
            }
        }
        long highest = history.start();
        for (Map.Entry<Long, Long> entry : seen.entrySet()) {
            highest = Math.max(highest, entry.getValue());
            known.put(entry.getKey(), highest);
        }
    }

    /** The head that a call saw; null if it saw none. */
    static @Nullable Long headOf(Call call) {
        if (call.read() != null) {
            return call.read().head();
        }
        if (call.count() != null) {
            return call.count().head();
        }
        if (call.command() != null) {
            return call.command().position();
        }
        return call.head() == null ? null : Long.valueOf(call.head().head());
    }

    /** The position of an event of the log; null if it is not there. */
    @Nullable Long position(UUID id) {
        return storedAt.get(id);
    }

    /** When the event at a position was appended; null if no call of the history appended it. */
    @Nullable Effect effect(long position) {
        return effects.get(position);
    }

    /** The highest position that a client knew of before a time. */
    long knownBefore(long time) {
        Map.Entry<Long, Long> entry = known.lowerEntry(time);
        return entry == null ? history.start() : entry.getValue();
    }

    /** The highest position that can have been there at a time: the next event was not yet sent. */
    long possibleAt(long time) {
        Map.Entry<Long, Long> next = begun.higherEntry(time);
        return next == null ? history.start() + history.log().size() : next.getValue() - 1;
    }
}
