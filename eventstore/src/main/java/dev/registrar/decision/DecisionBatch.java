package dev.registrar.decision;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.ChainingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StateAt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Decides one or more decisions in order, each on the state that the decisions before it would leave, and appends the
 * accepted events as one chain.
 */
final class DecisionBatch<E> {
    /*
     * Why a batch is as safe as deciding one command after the other: each request is guarded by its own decision's
     * facts, each at the head of its state. It is appended only if all requests before it are. So the states are still
     * current when the request is appended. The other events that the decision saw are exactly those that are appended
     * just before it.
     *
     * Why cached facts need not be read: the same guards. A stale state fails the append, and the decision is made
     * again on facts that are then read. A refusal has no append that could be guarded. So a refusal or a failed
     * decision is final only if its facts were read in this batch and depend on no event of the batch. Otherwise the
     * decision is made again. Decisions behind a request that was not appended are made again, too.
     */
    private final EventStore store;
    private final EventCodec<E> codec;
    private final StateCache<E> cache;
    private final StoredStates stored;
    private final ContentionQueues<E> queues;
    private final ContentionRecorder contention;
    private final Instant now;
    private final boolean isInQueue;

    private final Map<DecodedFact<E, ?>, StateAt<?>> states = new HashMap<>();
    private final List<Link<E, ?>> links = new ArrayList<>();
    private final Set<QueryItem> affected = new LinkedHashSet<>();
    private final Set<String> keys = new HashSet<>();
    private boolean read;
    private int events;
    private int tags;
    private long bytes;

    /** An accepted decision and its request. The requests are appended as one chain. */
    private record Link<E, R>(PendingDecision<E, R> pending, List<E> events, Append request) {}

    DecisionBatch(
            EventStore store,
            EventCodec<E> codec,
            StateCache<E> cache,
            StoredStates stored,
            ContentionQueues<E> queues,
            ContentionRecorder contention,
            Instant now,
            boolean isInQueue) {
        this.store = store;
        this.codec = codec;
        this.cache = cache;
        this.stored = stored;
        this.queues = queues;
        this.contention = contention;
        this.now = now;
        this.isInQueue = isInQueue;
    }

    /**
     * Decides the given decisions. The caller must decide again those that are not over afterwards.
     *
     * @return whether the batch lost a race although it had read the facts: the first request of the chain had a
     *     conflict
     */
    boolean run(List<PendingDecision<E, ?>> decisions) {
        decisions.forEach(this::begin);
        List<DecodedFact<E, ?>> facts = decisions.stream()
                .<DecodedFact<E, ?>>flatMap(decision -> decision.facts().stream())
                .distinct()
                .toList();
        List<StateAt<?>> known =
                decisions.stream().anyMatch(PendingDecision::mustReadFacts) ? List.of() : cache.allOf(facts);
        read = known.isEmpty();
        if (read) {
            try {
                known = stored.project(store, facts.stream().map(cache::get).toList(), cache::noteProgress)
                        .states();
            } catch (RuntimeException failure) {
                // An event that cannot be decoded, and a query that is refused, fail only the decisions with that fact.
                return failed(
                        decisions,
                        failure,
                        !(failure instanceof EventStoreException) || failure instanceof RefusedInputException);
            }
            known.forEach(this::remember);
        }
        for (int i = 0; i < facts.size(); i++) {
            states.put(facts.get(i), known.get(i));
        }
        for (PendingDecision<E, ?> decision : decisions) {
            if (!decide(decision)) {
                break;
            }
        }
        return !links.isEmpty() && appendInTurn();
    }

    private void begin(PendingDecision<E, ?> decision) {
        QueryItem lost = decision.begin();
        if (lost != null) {
            contention.retry(lost);
        }
    }

    /*
     * Decisions of this process on the same items wait during the append, instead of running into a conflict. A single
     * decision that cannot open all of its queues waits itself. A queue's batch goes on without the missing queues,
     * since its decisions cannot wait in two queues.
     */
    private boolean appendInTurn() {
        Map<QueryItem, CombiningQueue<ContentionQueues.Waiting<E>>> opened = queues.open(affected);
        try {
            PendingDecision<E, ?> first = links.getFirst().pending();
            if (opened.size() < affected.size() && !isInQueue) {
                affected.removeAll(opened.keySet());
                first.waitFor(affected.iterator().next());
                return false;
            }
            return append();
        } finally {
            opened.values().forEach(CombiningQueue::release);
        }
    }

    private boolean failed(
            List<PendingDecision<E, ?>> decisions, RuntimeException failure, boolean mayConcernOneDecision) {
        if (!mayConcernOneDecision || decisions.size() == 1) {
            decisions.forEach(decision -> decision.fail(failure));
            return false;
        }
        boolean lostRace = false;
        for (PendingDecision<E, ?> decision : decisions) {
            lostRace |= new DecisionBatch<>(store, codec, cache, stored, queues, contention, now, isInQueue)
                    .run(List.of(decision));
        }
        return lostRace;
    }

    /* False when no further decision fits into the chain. */
    private <R> boolean decide(PendingDecision<E, R> pending) {
        try {
            Verdict<E, R> verdict = pending.decision().decide(new KnownFacts(pending), now);
            switch (verdict) {
                case Verdict.Accept<E, R> accept
                when !accept.events().isEmpty() -> {
                    return link(pending, accept.events());
                }
                case Verdict.Accept<E, R> nothing ->
                    settleUnguarded(pending, new Accepted<>(List.of(), upTo(pending), false));
                case Verdict.Repeat<E, R> repeat ->
                    settleUnguarded(pending, new Accepted<>(repeat.events(), upTo(pending), true));
                case Verdict.Refuse<E, R> refuse ->
                    settleUnguarded(pending, new Rejected<>(refuse.reason(), refuse.explanation()));
            }
        } catch (Throwable error) {
            // Also an error such as a missing class: it must not fail the other decisions of the batch.
            if (!read) {
                pending.requireReading();
            } else if (links.isEmpty()) {
                pending.fail(
                        error instanceof RuntimeException own
                                ? own
                                : new IllegalStateException("Unexpected error in a decision", error));
            }
        }
        return true;
    }

    /* Settles an outcome that no append confirms, unless it depends on cached states or on events of this batch. */
    private <R> void settleUnguarded(PendingDecision<E, R> pending, Outcome<E, R> outcome) {
        if (!read) {
            pending.requireReading();
        } else if (links.isEmpty()) {
            pending.settle(outcome);
        }
    }

    private Position upTo(PendingDecision<E, ?> pending) {
        return state(pending.facts().getFirst()).position();
    }

    private <R> boolean link(PendingDecision<E, R> pending, List<E> happened) {
        List<Event> encoded = happened.stream()
                .map(event -> codec.encode(event).event().withMetadata(pending.metadata()))
                .toList();
        Append request = Append.of(encoded)
                .onConditions(AppendCondition.guarding(
                        pending.facts().stream().map(this::state).toList()))
                .under(pending.key())
                .by(pending.actor());
        long size = store.limits().check(request);
        if (!links.isEmpty()
                && (!(store instanceof ChainingEventStore)
                        || events + encoded.size() > store.limits().maxEventsPerAppend()
                        || tags + request.tags() > store.limits().maxTagsPerAppend()
                        || bytes + size > store.limits().maxAppendBytes()
                        || (pending.key() != null && keys.contains(pending.key().value())))) {
            return false;
        }
        boolean isWhole = applyEvents(pending, happened, encoded);
        links.add(new Link<>(pending, happened, request));
        events += encoded.size();
        tags += request.tags();
        bytes += size;
        if (pending.key() != null) {
            keys.add(pending.key().value());
        }
        return isWhole;
    }

    /*
     * Applies the events of a decision to the states. False if a fact of another decision fails on one of the events.
     * That is not an error of this decision, so its request becomes the only one of the chain.
     */
    private boolean applyEvents(PendingDecision<E, ?> pending, List<E> happened, List<Event> encoded) {
        Map<DecodedFact<E, ?>, StateAt<?>> changed = new HashMap<>();
        boolean isWhole = true;
        for (int i = 0; i < encoded.size(); i++) {
            for (DecodedFact<E, ?> fact : states.keySet()) {
                if (affects(encoded.get(i), fact)) {
                    try {
                        changed.put(fact, fact.after(changed.getOrDefault(fact, state(fact)), happened.get(i)));
                    } catch (RuntimeException failure) {
                        if (!links.isEmpty() || pending.facts().contains(fact)) {
                            throw failure;
                        }
                        isWhole = false;
                    }
                }
            }
        }
        states.putAll(changed);
        return isWhole;
    }

    private boolean affects(Event event, DecodedFact<E, ?> fact) {
        boolean affects = false;
        for (QueryItem item : fact.query().items()) {
            if (item.matches(event)) {
                affected.add(item);
                affects = true;
            }
        }
        return affects;
    }

    private boolean append() {
        List<Append> chain = links.stream().<Append>map(Link::request).toList();
        List<AppendResult> results;
        try {
            results = chain.size() > 1 && store instanceof ChainingEventStore chains
                    ? chains.appendChain(chain)
                    : List.of(store.append(chain.getFirst()));
        } catch (IdempotencyKeyReusedException reused) {
            links.getFirst().pending().fail(reused);
            return false;
        } catch (RuntimeException failure) {
            // Only a refused request is certain not to be stored, so only such a request may be sent again.
            return failed(
                    links.stream().<PendingDecision<E, ?>>map(Link::pending).toList(),
                    failure,
                    failure instanceof RefusedInputException);
        }
        int appended = (int) results.stream().filter(DecisionBatch::isNew).count();
        for (int i = 0; i < results.size(); i++) {
            settle(links.get(i), results.get(i));
        }
        if (appended == chain.size()) {
            keepStates(results.getLast());
        } else if (!read) {
            links.forEach(link -> link.pending().requireReading());
        }
        return read && appended == 0;
    }

    private <R> void settle(Link<E, R> link, AppendResult result) {
        PendingDecision<E, R> pending = link.pending();
        switch (result) {
            case Appended appended when appended.repeated() -> pending.repeats(appended);
            case Appended appended -> pending.settle(new Accepted<>(link.events(), appended.last(), false));
            case Conflict conflict -> {
                contention.conflict(conflict.item(), pending.decision().commandType(), conflict.type());
                pending.lostRaceFor(conflict.item(), read);
            }
            case StoreReplaced replaced -> pending.lostHead(read);
        }
    }

    /*
     * The whole chain is stored at consecutive positions. The conditions guarded the facts of its decisions up to
     * there, so the states of these facts are exact at the last event of the chain. Other facts were not guarded.
     */
    private void keepStates(AppendResult result) {
        if (result instanceof Appended last) {
            UUID lastEventId = links.getLast().request().events().getLast().id();
            for (Link<E, ?> link : links) {
                for (DecodedFact<E, ?> fact : link.pending().facts()) {
                    StateAt<?> state = state(fact);
                    if (state.head() != null) {
                        remember(state.at(new Head(last.last(), state.head().incarnation(), lastEventId)));
                    }
                }
            }
        }
    }

    private void remember(StateAt<?> state) {
        cache.remember(state);
        stored.offer(state);
    }

    private StateAt<?> state(DecodedFact<E, ?> fact) {
        StateAt<?> state = states.get(fact);
        if (state == null) {
            throw new IllegalStateException("The fact %s was not read".formatted(fact));
        }
        return state;
    }

    private static boolean isNew(AppendResult result) {
        return result instanceof Appended appended && !appended.repeated();
    }

    /** The states of a decision's own facts. */
    private final class KnownFacts implements Facts<E> {
        private final PendingDecision<E, ?> pending;

        private KnownFacts(PendingDecision<E, ?> pending) {
            this.pending = pending;
        }

        @Override
        @SuppressWarnings("unchecked") // a state is of its fact's own type
        public <S> S get(Fact<E, S> fact) {
            DecodedFact<E, S> wanted = new DecodedFact<>(fact, codec, pending.erasures());
            if (!pending.facts().contains(wanted)) {
                throw new IllegalArgumentException(
                        "The fact %s is not among the facts of %s; add it to Decision.facts()"
                                .formatted(fact, pending.decision()));
            }
            return (S) state(wanted).state();
        }
    }
}
