package dev.registrar.decision;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides one or several decisions, each on the state that those before it would leave, and appends what they accept in
 * one chain.
 */
final class Round<E> {
    /*
     * Why this is as safe as deciding one after another: each request is guarded by its own decision's facts at the head
     * that all were read at, and is not appended unless all requests before it were. So what a decision saw besides that
     * head is exactly what was appended just before it. A refusal that rests on others' events is not given until those are
     * stored. Whatever follows a request that was not appended is decided again.
     */
    private final EventStore store;
    private final EventCodec<E> codec;
    private final StateCache<E> cache;
    private final Instant now;

    private final Map<DecodedFact<E, ?>, StateAt<?>> states = new HashMap<>();
    private final List<Step<E, ?>> steps = new ArrayList<>();
    private final List<Append> chain = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private int events;
    private long bytes;

    /**
     * A decision and its verdict, which holds if what it rests on comes true.
     *
     * @param restsOn how many requests of the chain it rests on; its own, if it has one, comes next
     */
    private record Step<E, R>(PendingDecision<E, R> pending, Verdict<E, R> verdict, int restsOn) {}

    Round(EventStore store, EventCodec<E> codec, StateCache<E> cache, Instant now) {
        this.store = store;
        this.codec = codec;
        this.cache = cache;
        this.now = now;
    }

    /**
     * Decides some decisions. Those that are neither over nor told a reason afterwards are to be decided again.
     *
     * @return whether the chain's first request was too late, for somebody outside of this round was faster
     */
    boolean run(List<PendingDecision<E, ?>> decisions) {
        List<DecodedFact<E, ?>> facts = decisions.stream()
                .<DecodedFact<E, ?>>flatMap(decision -> decision.facts().stream())
                .distinct()
                .toList();
        Projected projected;
        try {
            projected = store.project(facts.stream().map(cache::get).toList());
        } catch (RuntimeException failure) {
            forgetAfter(failure);
            decisions.forEach(decision -> decision.fail(failure));
            return false;
        }
        for (int i = 0; i < facts.size(); i++) {
            StateAt<?> state = projected.states().get(i);
            cache.remember(state);
            states.put(facts.get(i), state);
        }
        for (PendingDecision<E, ?> decision : decisions) {
            if (!decide(decision, projected)) {
                break;
            }
        }
        return append(projected.head());
    }

    /* False when the chain has no room for more. */
    private <R> boolean decide(PendingDecision<E, R> pending, Projected projected) {
        try {
            pending.attempt();
            Verdict<E, R> verdict = pending.decision().decide(new KnownFacts(pending), now);
            if (verdict instanceof Verdict.Accept<E, R> accept
                    && !accept.events().isEmpty()) {
                return link(pending, accept, projected);
            }
            steps.add(new Step<>(pending, verdict, chain.size()));
        } catch (RuntimeException mistake) {
            pending.fail(mistake);
        }
        return true;
    }

    private <R> boolean link(PendingDecision<E, R> pending, Verdict.Accept<E, R> accept, Projected projected) {
        List<Event> encoded = accept.events().stream()
                .map(event -> encode(event, pending.metadata()))
                .toList();
        Append request = Append.of(encoded)
                .onCondition(projected.appendCondition(pending.facts()))
                .under(pending.key());
        store.limits().check(request);
        long size = StoreLimits.bytes(request);
        if (!chain.isEmpty()
                && (events + encoded.size() > store.limits().eventsPerAppend()
                        || bytes + size > store.limits().appendBytes()
                        || (pending.key() != null && keys.contains(pending.key().value())))) {
            return false;
        }
        steps.add(new Step<>(pending, accept, chain.size()));
        chain.add(request);
        events += encoded.size();
        bytes += size;
        if (pending.key() != null) {
            keys.add(pending.key().value());
        }
        for (int i = 0; i < encoded.size(); i++) {
            happen(accept.events().get(i), encoded.get(i));
        }
        return true;
    }

    private Event encode(E event, String metadata) {
        EventCodec.Encoded encoded = codec.encode(event);
        return Event.of(encoded.type(), encoded.tags(), encoded.payload()).withMetadata(metadata);
    }

    private void happen(E event, Event encoded) {
        states.replaceAll((fact, state) -> fact.query().matches(encoded) ? fact.after(state, event) : state);
    }

    private boolean append(Head head) {
        List<AppendResult> results;
        try {
            results = switch (chain.size()) {
                case 0 -> List.of();
                case 1 -> List.of(store.append(chain.getFirst()));
                default -> store.appendChain(chain);
            };
        } catch (IdempotencyKeyReusedException reused) {
            firstOfChain().pending().fail(reused);
            results = List.of();
        } catch (RuntimeException failure) {
            forgetAfter(failure);
            // Whether the chain was stored may be unknown, and so is all that rests on it.
            steps.stream()
                    .filter(step -> step.restsOn() > 0 || appends(step))
                    .forEach(step -> step.pending().fail(failure));
            results = List.of();
        }
        int appended = (int) results.stream().filter(Round::isNew).count();
        for (Step<E, ?> step : steps) {
            settle(step, head, results, appended);
        }
        if (appended > 0 && appended == chain.size()) {
            keepStates(head, results.getLast());
        }
        return appended == 0 && !results.isEmpty();
    }

    /* The next connection may lead to another copy of the database. */
    private void forgetAfter(RuntimeException failure) {
        if (failure instanceof StoreUnavailableException || failure instanceof OutcomeUnknownException) {
            cache.forgetAll();
        }
    }

    private Step<E, ?> firstOfChain() {
        return steps.stream().filter(Round::appends).findFirst().orElseThrow();
    }

    private <R> void settle(Step<E, R> step, Head head, List<AppendResult> results, int appended) {
        PendingDecision<E, R> pending = step.pending();
        int own = step.restsOn();
        if (pending.isOver() || own > appended) {
            return;
        }
        switch (step.verdict()) {
            case Verdict.Refuse<E, R> refuse -> pending.settle(new Rejected<>(refuse.reason()));
            case Verdict.Accept<E, R> accept
            when accept.events().isEmpty() ->
                pending.settle(
                        new Accepted<>(List.of(), own == 0 ? head.position() : last(results.get(own - 1)), false));
            case Verdict.Accept<E, R> accept
            when own < appended -> pending.settle(new Accepted<>(accept.events(), last(results.get(own)), false));
            case Verdict.Accept<E, R> accept when own < results.size() -> notAppended(pending, results.get(own));
            case Verdict.Accept<E, R> notJudged -> {}
        }
    }

    private void notAppended(PendingDecision<E, ?> pending, AppendResult result) {
        switch (result) {
            case Appended earlier -> pending.repeats(earlier);
            case Conflict conflict -> pending.tooLateFor(conflict.item());
            case StoreReplaced replaced -> cache.forgetAll();
        }
    }

    /*
     * All of the chain is stored, in positions that follow each other. The facts of its decisions were guarded up to there,
     * so their states are now those at the chain's last event. Other facts were not.
     */
    private void keepStates(Head head, AppendResult last) {
        Event lastEvent = chain.getLast().events().getLast();
        Head reached = new Head(last(last), head.incarnation(), lastEvent.id());
        for (Step<E, ?> step : steps) {
            if (appends(step)) {
                for (DecodedFact<E, ?> fact : step.pending().facts()) {
                    cache.remember(state(fact).at(reached));
                }
            }
        }
    }

    private StateAt<?> state(DecodedFact<E, ?> fact) {
        StateAt<?> state = states.get(fact);
        if (state == null) {
            throw new IllegalStateException("%s was not read".formatted(fact));
        }
        return state;
    }

    private static boolean appends(Step<?, ?> step) {
        return step.verdict() instanceof Verdict.Accept<?, ?> accept
                && !accept.events().isEmpty();
    }

    private static boolean isNew(AppendResult result) {
        return result instanceof Appended appended && !appended.repeated();
    }

    private static Position last(AppendResult result) {
        if (result instanceof Appended appended) {
            return appended.last();
        }
        throw new IllegalStateException("A request that counts as appended was answered with " + result);
    }

    /** What a decision is told: the states of its own facts. */
    private final class KnownFacts implements Facts<E> {
        private final PendingDecision<E, ?> pending;

        private KnownFacts(PendingDecision<E, ?> pending) {
            this.pending = pending;
        }

        @Override
        @SuppressWarnings("unchecked") // a state is of its fact's own type
        public <S> S get(Fact<E, S> fact) {
            DecodedFact<E, S> wanted = new DecodedFact<>(fact, codec);
            if (!pending.facts().contains(wanted)) {
                throw new IllegalArgumentException(
                        "%s is not among the facts of %s".formatted(fact, pending.decision()));
            }
            return (S) state(wanted).state();
        }
    }
}
