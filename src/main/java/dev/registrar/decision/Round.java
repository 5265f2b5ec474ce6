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
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StateAt;
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
     * head is exactly what was appended just before it. A refusal has no request that would be guarded; so it is given only
     * if it rests on that head alone, and is decided again otherwise, as is whatever follows a request that was not appended.
     */
    private final EventStore store;
    private final EventCodec<E> codec;
    private final StateCache<E> cache;
    private final Instant now;

    private final Map<DecodedFact<E, ?>, StateAt<?>> states = new HashMap<>();
    private final List<Link<E, ?>> links = new ArrayList<>();
    private final List<Append> chain = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private int events;
    private long bytes;

    /** An accepted decision, whose request has the same number in the chain. */
    private record Link<E, R>(PendingDecision<E, R> pending, List<E> events) {}

    Round(EventStore store, EventCodec<E> codec, StateCache<E> cache, Instant now) {
        this.store = store;
        this.codec = codec;
        this.cache = cache;
        this.now = now;
    }

    /**
     * Decides some decisions. Those that are not over afterwards are to be decided again.
     *
     * @return whether the chain's first request was too late, for somebody outside of this round was faster
     */
    boolean run(List<PendingDecision<E, ?>> decisions) {
        decisions.forEach(PendingDecision::forgetReason);
        List<DecodedFact<E, ?>> facts = decisions.stream()
                .<DecodedFact<E, ?>>flatMap(decision -> decision.facts().stream())
                .distinct()
                .toList();
        Projected projected;
        try {
            projected = store.project(facts.stream().map(cache::get).toList());
        } catch (RuntimeException failure) {
            // An event that cannot be read is in the way of those alone whose facts it is one of.
            return failed(decisions, failure, !(failure instanceof EventStoreException));
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
        return !chain.isEmpty() && append(projected.head());
    }

    private boolean failed(List<PendingDecision<E, ?>> decisions, RuntimeException failure, boolean mayBeOnes) {
        if (failure instanceof StoreUnavailableException || failure instanceof OutcomeUnknownException) {
            // The next connection may lead to another copy of the database.
            cache.forgetAll();
        }
        if (!mayBeOnes || decisions.size() == 1) {
            decisions.forEach(decision -> decision.fail(failure));
            return false;
        }
        boolean beaten = false;
        for (PendingDecision<E, ?> decision : decisions) {
            beaten |= new Round<>(store, codec, cache, now).run(List.of(decision));
        }
        return beaten;
    }

    /* False when the chain has no room for more. */
    private <R> boolean decide(PendingDecision<E, R> pending, Projected projected) {
        try {
            Verdict<E, R> verdict = pending.decision().decide(new KnownFacts(pending), now);
            switch (verdict) {
                case Verdict.Accept<E, R> accept
                when !accept.events().isEmpty() -> {
                    return link(pending, accept.events(), projected);
                }
                case Verdict.Accept<E, R> nothing -> {
                    if (chain.isEmpty()) {
                        pending.settle(
                                new Accepted<>(List.of(), projected.head().position(), false));
                    }
                }
                case Verdict.Refuse<E, R> refuse -> {
                    if (chain.isEmpty()) {
                        pending.settle(new Rejected<>(refuse.reason()));
                    }
                }
            }
        } catch (RuntimeException mistake) {
            pending.fail(mistake);
        }
        return true;
    }

    private <R> boolean link(PendingDecision<E, R> pending, List<E> happened, Projected projected) {
        List<Event> encoded = happened.stream()
                .map(event -> encode(event, pending.metadata()))
                .toList();
        Append request = Append.of(encoded)
                .onCondition(projected.appendCondition(pending.facts()))
                .under(pending.key());
        long size = store.limits().check(request);
        if (!chain.isEmpty()
                && (events + encoded.size() > store.limits().eventsPerAppend()
                        || bytes + size > store.limits().appendBytes()
                        || (pending.key() != null && keys.contains(pending.key().value())))) {
            return false;
        }
        Map<DecodedFact<E, ?>, StateAt<?>> after = after(happened, encoded);
        states.putAll(after);
        links.add(new Link<>(pending, happened));
        chain.add(request);
        events += encoded.size();
        bytes += size;
        if (pending.key() != null) {
            keys.add(pending.key().value());
        }
        return true;
    }

    private Event encode(E event, String metadata) {
        EventCodec.Encoded encoded = codec.encode(event);
        return Event.of(encoded.type(), encoded.tags(), encoded.payload()).withMetadata(metadata);
    }

    /* The states that events change. */
    private Map<DecodedFact<E, ?>, StateAt<?>> after(List<E> happened, List<Event> encoded) {
        Map<DecodedFact<E, ?>, StateAt<?>> changed = new HashMap<>();
        for (int i = 0; i < encoded.size(); i++) {
            for (DecodedFact<E, ?> fact : states.keySet()) {
                if (fact.query().matches(encoded.get(i))) {
                    changed.put(fact, fact.after(changed.getOrDefault(fact, state(fact)), happened.get(i)));
                }
            }
        }
        return changed;
    }

    private boolean append(Head head) {
        List<AppendResult> results;
        try {
            results = chain.size() == 1 ? List.of(store.append(chain.getFirst())) : store.appendChain(chain);
        } catch (IdempotencyKeyReusedException reused) {
            links.getFirst().pending().fail(reused);
            return false;
        } catch (RuntimeException failure) {
            // Only what was refused is sure not to be stored, and may be tried again.
            return failed(
                    links.stream().<PendingDecision<E, ?>>map(Link::pending).toList(),
                    failure,
                    failure instanceof RefusedInputException);
        }
        int appended = (int) results.stream().filter(Round::isNew).count();
        for (int i = 0; i < results.size(); i++) {
            settle(links.get(i), results.get(i));
        }
        if (appended == chain.size()) {
            keepStates(head, results.getLast());
        }
        return appended == 0;
    }

    private <R> void settle(Link<E, R> link, AppendResult result) {
        PendingDecision<E, R> pending = link.pending();
        switch (result) {
            case Appended appended when appended.repeated() -> pending.repeats(appended);
            case Appended appended -> pending.settle(new Accepted<>(link.events(), appended.last(), false));
            case Conflict conflict -> pending.tooLateFor(conflict.item());
            case StoreReplaced replaced -> {
                cache.forgetAll();
                pending.tooLateForStore();
            }
        }
    }

    /*
     * All of the chain is stored, in positions that follow each other. The facts of its decisions were guarded up to there,
     * so their states are now those at the chain's last event. Other facts were not.
     */
    private void keepStates(Head head, AppendResult result) {
        if (result instanceof Appended last) {
            Event lastEvent = chain.getLast().events().getLast();
            Head reached = new Head(last.last(), head.incarnation(), lastEvent.id());
            for (Link<E, ?> link : links) {
                for (DecodedFact<E, ?> fact : link.pending().facts()) {
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

    private static boolean isNew(AppendResult result) {
        return result instanceof Appended appended && !appended.repeated();
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
