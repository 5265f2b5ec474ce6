package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the callers of one group share and what they do not. The test holds the store's lock: the first caller has sent
 * its statement and waits for the lock, and the other callers wait in the queue in their order of arrival.
 */
class GroupAppenderTest extends GroupAppenderFixture {
    @Test
    void waiting_requests_are_sent_together_in_their_order() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"), guarded("d"));
        letGo();

        assertThat(results()).containsExactly(at(1), at(2), at(3), at(4));
        assertThat(onTheirWay()).isEqualTo(2);
        assertThat(meters.get("registrar.store.group.size").summary().max()).isEqualTo(3);
        assertThat(meters.get("registrar.store.verdicts")
                        .tag("verdict", "appended")
                        .counter()
                        .count())
                .isEqualTo(4);
    }

    /* All but the first share a group. The third request conflicts with the first, so its event is skipped. */
    @Test
    void each_event_of_a_group_has_the_actor_of_its_own_caller() throws Exception {
        Actor ann = new Actor("issuer", "ann", "console", null);
        Actor bob = Actor.of("issuer", "bob").onBehalfOf("ann");
        send(
                guarded("a").by(ann),
                Append.of(event("b"), event("c")).by(bob),
                guarded("a").by(bob),
                Append.of(event("d")).by(ann),
                Append.of(event("e")));
        letGo();

        assertThat(results()).filteredOn(Appended.class::isInstance).hasSize(4);
        assertThat(store.read(Query.all()).stream()
                        .collect(Collectors.toMap(
                                found -> found.event().tags().iterator().next().value(),
                                found -> Optional.ofNullable(found.actor()))))
                .containsOnly(
                        entry("a", Optional.of(ann)),
                        entry("b", Optional.of(bob)),
                        entry("c", Optional.of(bob)),
                        entry("d", Optional.of(ann)),
                        entry("e", Optional.empty()));
    }

    @Test
    void a_group_keeps_to_its_bounds() throws Exception {
        begin(Map.of("group.max-requests", 2));
        send(guarded("a"), guarded("b"), guarded("c"), guarded("d"));
        letGo();

        assertThat(results()).containsExactly(at(1), at(2), at(3), at(4));
        assertThat(onTheirWay()).isEqualTo(3);
        assertThat(meters.get("registrar.store.group.size").summary().max()).isEqualTo(2);
    }

    @Test
    void an_append_larger_than_a_group_is_sent_alone() throws Exception {
        begin(Map.of("group.max-events", 2));
        send(guarded("a"), guarded("b"), Append.of(event("x"), event("y"), event("z")), guarded("c"));
        letGo();

        assertThat(results()).containsExactly(at(1), at(2), new Appended(Position.of(3), Position.of(5), false), at(6));
    }

    /* Two groups behind the first one: ten tags are the most of a group of two events. */
    @Test
    void a_group_has_a_bounded_number_of_tags() throws Exception {
        begin(Map.of("group.max-events", 2));
        String[] six = {"1", "2", "3", "4", "5", "6"};
        send(guarded("a"), Append.of(Event.of("Happened", "{}", six)), Append.of(Event.of("Happened", "{}", six)));
        letGo();

        assertThat(results()).containsExactly(at(1), at(2), at(3));
        assertThat(onTheirWay()).isEqualTo(3);
    }

    @Test
    void one_racer_wins_and_the_others_lose_in_one_further_group() throws Exception {
        Append[] racers = IntStream.range(0, 10).mapToObj(i -> guarded("seat")).toArray(Append[]::new);
        send(guarded("a"));
        send(racers);
        letGo();

        List<AppendResult> results = results();
        assertThat(results.subList(0, 2)).containsExactly(at(1), at(2));
        assertThat(results.subList(2, 11))
                .containsOnly(new Conflict(QueryItem.tags("seat"), Position.of(2), "Happened"));
        assertThat(onTheirWay()).isEqualTo(3);
        assertThat(store.head().position()).isEqualTo(Position.of(2));
    }

    @Test
    void a_conflict_of_one_request_does_not_reject_those_that_it_deferred() throws Exception {
        Append refused = Append.of(event("seat"))
                .onCondition(AppendCondition.failIfEventsMatch(
                        Query.of(QueryItem.tags("a")).or(Query.of(QueryItem.tags("seat")))));
        send(guarded("a"), refused, guarded("seat"));
        letGo();

        assertThat(results())
                .containsExactly(at(1), new Conflict(QueryItem.tags("a"), Position.of(1), "Happened"), at(2));
    }

    /*
     * The chain takes x twice and fails at a, which is already taken; its last request is not judged. The other request
     * for x waits for the chain and loses to it. The request for y wins and gets the next position.
     */
    @Test
    void a_chain_is_sent_in_one_group_among_others() throws Exception {
        IdempotencyKey key = new IdempotencyKey("k", "y");
        send(guarded("a"));
        Future<List<AppendResult>> chain = callers.submit(
                () -> store.appendChain(List.of(guarded("x"), guarded("x"), guarded("a"), guarded("y"))));
        await().until(() -> queued() == 1);
        Future<AppendResult> wantsX = callers.submit(() -> store.append(guarded("x")));
        await().until(() -> queued() == 2);
        Append two = Append.of(event("y"), event("z")).under(key);
        Future<AppendResult> wantsY = callers.submit(() -> store.append(two));
        await().until(() -> queued() == 3);
        letGo();

        assertThat(results()).containsExactly(at(1));
        assertThat(chain.get())
                .containsExactly(at(2), at(3), new Conflict(QueryItem.tags("a"), Position.of(1), "Happened"));
        assertThat(wantsX.get()).isEqualTo(new Conflict(QueryItem.tags("x"), Position.of(2), "Happened"));
        Appended yAndZ = new Appended(Position.of(4), Position.of(5), false);
        assertThat(wantsY.get()).isEqualTo(yAndZ);
        assertThat(store.append(two)).isEqualTo(new Appended(yAndZ.first(), yAndZ.last(), true));
        assertThat(store.read(Query.of(QueryItem.tags("z"))).toList())
                .extracting(found -> found.position().value())
                .containsExactly(5L);
    }

    @Test
    void a_conditions_position_may_lie_inside_the_group() throws Exception {
        Append ahead = Append.of(event("seat"))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("seat")))
                        .after(Position.of(2)));
        send(guarded("a"), guarded("seat"), ahead, ahead);
        letGo();

        assertThat(results())
                .containsExactly(at(1), at(2), at(3), new Conflict(QueryItem.tags("seat"), Position.of(3), "Happened"));
    }

    @Test
    void the_second_request_under_a_key_returns_the_first_positions() throws Exception {
        Append keyed = guarded("b").under(new IdempotencyKey("k", "b"));
        send(guarded("a"), keyed, keyed, Append.of(event("c")).under(new IdempotencyKey("k", "c")));
        letGo();

        assertThat(failures()).hasSize(1).first().isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(answers.get(1).get()).isEqualTo(at(2));
        assertThat(answers.get(2).get()).isEqualTo(new Appended(Position.of(2), Position.of(2), true));
        assertThat(store.head().position()).isEqualTo(Position.of(2));
    }

    @Test
    void the_second_request_under_a_key_is_judged_when_the_first_was_refused() throws Exception {
        IdempotencyKey key = new IdempotencyKey("k", "b");
        send(guarded("a"), guarded("a").under(key), Append.of(event("b")).under(key));
        letGo();

        assertThat(results())
                .containsExactly(at(1), new Conflict(QueryItem.tags("a"), Position.of(1), "Happened"), at(2));
    }

    /* A new request that arrives before the store closes waits in the queue: its deadline lets the test repeat it. */
    @Test
    void closing_answers_waiting_requests_and_refuses_new_ones() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"));
        Future<?> closing = callers.submit(store::close);
        await().untilAsserted(() -> assertThatThrownBy(
                        () -> Deadline.within(Duration.ofMillis(100), () -> store.append(guarded("d"))))
                .isInstanceOf(StoreUnavailableException.class));

        letGo();
        closing.get();

        assertThat(results()).containsExactly(at(1), at(2), at(3));
    }

    @Test
    void several_groups_may_be_in_flight() throws Exception {
        begin(Map.of("group.in-flight", 2));
        Append[] racers =
                IntStream.range(0, 40).mapToObj(i -> guarded("seat:" + i / 4)).toArray(Append[]::new);
        for (Append racer : racers) {
            answers.add(callers.submit(() -> store.append(racer)));
        }
        await().until(() -> onTheirWay() == 2 && requestsOnTheirWay() + queued() == racers.length);
        letGo();

        assertThat(results()).filteredOn(Appended.class::isInstance).hasSize(10);
        assertThat(results()).filteredOn(Conflict.class::isInstance).hasSize(30);
        assertThat(store.head().position()).isEqualTo(Position.of(10));
    }
}
