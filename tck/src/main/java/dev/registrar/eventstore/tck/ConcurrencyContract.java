package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Appends that race. All racers start together, spread over the instances of the store. A conflict is a legal result;
 * an exception fails the test.
 */
public interface ConcurrencyContract extends StoreUnderTest {
    int RACERS = 8;
    int ROUNDS = 10;

    /** Every racer appends its events under its condition. */
    private List<AppendResult> race(IntFunction<Event> events, IntFunction<AppendCondition> conditions) {
        return Race.run(RACERS, racer -> instance(racer).append(List.of(events.apply(racer)), conditions.apply(racer)));
    }

    private static List<Appended> winners(Collection<AppendResult> results) {
        return results.stream()
                .filter(Appended.class::isInstance)
                .map(Appended.class::cast)
                .toList();
    }

    /** One racer wins, and all others get a conflict with the winner's event. */
    private static void assertOneWinner(List<AppendResult> results) {
        assertThat(winners(results)).hasSize(1);
        Position won = winners(results).getFirst().first();
        assertThat(results).filteredOn(Conflict.class::isInstance).hasSize(RACERS - 1);
        assertThat(results)
                .filteredOn(Conflict.class::isInstance)
                .extracting(result -> ((Conflict) result).position())
                .containsOnly(won);
    }

    @Test
    default void of_racers_on_one_boundary_one_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String name = "name:" + round;
            assertOneWinner(race(racer -> event("Claimed", name), racer -> noneMatches(QueryItem.tags(name))));
        }
    }

    /** All racers have read that the thing is free before the first one appends. */
    @Test
    default void of_racers_that_decided_on_the_same_state_one_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String name = "name:" + round;
            CyclicBarrier haveRead = new CyclicBarrier(RACERS);
            assertOneWinner(Race.run(RACERS, racer -> {
                AppendCondition condition = instance(racer)
                        .project(Positions.of(QueryItem.tags(name)))
                        .appendCondition();
                await(haveRead);
                return instance(racer).append(List.of(event("Claimed", name)), condition);
            }));
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @Test
    default void of_racers_that_guard_against_every_event_one_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            Position end = store().head().position();
            assertOneWinner(race(
                    racer -> event("Any"),
                    racer -> AppendCondition.failIfEventsMatch(Query.all()).after(end)));
        }
    }

    @Test
    default void racers_on_boundaries_of_their_own_all_win() {
        for (int round = 0; round < ROUNDS; round++) {
            IntFunction<String> name = racer -> "name:" + racer;
            Position end = store().head().position();
            assertThat(winners(race(
                            racer -> event("Claimed", name.apply(racer)),
                            racer -> noneMatches(QueryItem.types("Claimed").tagged(name.apply(racer)))
                                    .after(end))))
                    .hasSize(RACERS);
        }
    }

    @Test
    default void a_condition_on_the_type_and_one_on_the_tag_of_the_same_event_cannot_both_win() {
        for (int round = 0; round < ROUNDS; round++) {
            String type = "Issued" + round;
            String tag = "number:" + round;
            assertOneWinner(race(
                    racer -> event(type, tag),
                    racer -> noneMatches(racer % 2 == 0 ? QueryItem.types(type) : QueryItem.tags(tag))));
        }
    }

    @Test
    default void of_overlapping_conditions_on_types_one_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String shared = "Shared" + round;
            assertOneWinner(race(
                    racer -> event(shared, "of:" + racer),
                    racer -> noneMatches(QueryItem.types(shared, "Own" + racer))));
        }
    }

    @Test
    default void of_overlapping_conditions_on_tags_one_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String shared = "shared:" + round;
            assertOneWinner(race(
                    racer -> event("Type" + racer, shared, shared + "-own:" + racer),
                    racer -> noneMatches(QueryItem.tags(shared + "-own:" + racer), QueryItem.tags(shared))));
        }
    }

    /**
     * Half of the racers guard a pair of tags, the other half one tag of the pair: each racer's event matches every
     * condition.
     */
    @Test
    default void of_conditions_on_two_tags_and_on_one_of_them_one_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String course = "course:" + round;
            String student = "student:" + round;
            assertOneWinner(race(
                    racer -> event("Enrolled", student, course),
                    racer -> noneMatches(racer % 2 == 0 ? QueryItem.tags(course, student) : QueryItem.tags(course))));
        }
    }

    /**
     * One seat is left, and each racer is a different student: the boundaries have two items and share the item of the
     * course.
     */
    @Test
    default void the_last_seat_goes_to_one_student() {
        for (int round = 0; round < ROUNDS; round++) {
            String course = "course:" + round;
            IntFunction<String> student = racer -> course + "-student:" + racer;
            assertOneWinner(race(
                    racer -> event("Enrolled", student.apply(racer), course),
                    racer -> noneMatches(
                            QueryItem.types("Enrolled").tagged(student.apply(racer)),
                            QueryItem.types("Enrolled").tagged(course))));
        }
    }

    @Test
    default void a_guard_without_a_position_admits_one_of_racing_creates() {
        for (int round = 0; round < 50; round++) {
            String course = "course:" + round;
            assertThat(winners(Race.run(
                            3,
                            racer -> instance(racer)
                                    .append(
                                            List.of(event("CourseDefined", course)),
                                            noneMatches(QueryItem.types("CourseDefined")
                                                    .tagged(course))))))
                    .hasSize(1);
        }
        assertThat(store().count(Query.all())).isEqualTo(50);
    }

    @Test
    default void unconditional_appends_all_succeed_with_positions_of_their_own() {
        int appends = 50;
        List<Appended> appended = Race.run(appends, racer -> (Appended) instance(racer)
                .append(IntStream.rangeClosed(0, racer % 4)
                        .mapToObj(number -> event("Any", "racer:" + racer))
                        .toList()));

        List<Long> positions = appended.stream()
                .flatMapToLong(each ->
                        LongStream.rangeClosed(each.first().value(), each.last().value()))
                .boxed()
                .sorted()
                .toList();
        assertThat(positions)
                .isEqualTo(LongStream.rangeClosed(1, store().head().position().value())
                        .boxed()
                        .toList());
        for (int racer = 0; racer < appends; racer++) {
            assertThat(read(Query.of(QueryItem.tags("racer:" + racer)), ReadOptions.forwards()))
                    .isEqualTo(LongStream.rangeClosed(
                                    appended.get(racer).first().value(),
                                    appended.get(racer).last().value())
                            .boxed()
                            .toList());
        }
    }

    /** After a lost update, two callers would write the same number. */
    @Test
    default void loops_that_read_decide_and_append_lose_no_update() {
        Query counted = Query.of(QueryItem.types("Counted"));
        int each = 5;

        Race.run(RACERS, racer -> {
            for (int done = 0; done < each; ) {
                Positions projection = new Positions(counted);
                Projected seen = instance(racer).project(projection);
                String number = Integer.toString(seen.state(projection).size() + 1);
                Event next = Event.of("Counted", number, "racer:" + racer);
                if (instance(racer).append(List.of(next), seen.appendCondition()) instanceof Appended) {
                    done++;
                }
            }
            return racer;
        });

        assertThat(store().read(counted).stream().map(event -> event.event().payload()))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, RACERS * each)
                        .mapToObj(Integer::toString)
                        .toList());
    }

    @Test
    default void of_racers_under_one_idempotency_key_one_appends_and_all_get_its_positions() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Event> events = List.of(event("One", "round:" + round), event("Two"));
            Append request = Append.of(events).under(IdempotencyKey.of("key:" + round, events));

            List<AppendResult> results =
                    Race.run(RACERS, racer -> instance(racer).append(request));

            assertThat(winners(results)).hasSize(RACERS);
            assertThat(winners(results))
                    .filteredOn(appended -> !appended.repeated())
                    .hasSize(1);
            assertThat(winners(results)).extracting(Appended::first).containsOnly(Position.of(2 * round + 1));
        }
    }

    /**
     * Events that a reader has seen never change: no event appears before one that was read, and no append is visible
     * in part.
     */
    @Test
    default void readers_see_whole_appends_in_one_order_that_only_grows() {
        int writers = 5;
        int size = 3;
        AtomicInteger writing = new AtomicInteger(writers);

        Race.run(writers + 2, racer -> {
            if (racer < writers) {
                try {
                    for (int append = 0; append < 20; append++) {
                        instance(racer).append(List.of(event("One"), event("Two"), event("Three")));
                    }
                    return racer;
                } finally {
                    writing.decrementAndGet();
                }
            }
            List<SequencedEvent> seen = new ArrayList<>();
            while (true) {
                boolean last = writing.get() == 0;
                List<SequencedEvent> now = instance(racer).read(Query.all()).toList();
                assertThat(now.size() % size).isZero();
                assertThat(now.subList(0, seen.size())).isEqualTo(seen);
                assertThat(now)
                        .extracting(event -> event.position().value())
                        .isEqualTo(LongStream.rangeClosed(1, now.size()).boxed().toList());
                seen = now;
                if (last) {
                    return seen.size();
                }
            }
        });

        assertThat(store().head().position()).isEqualTo(Position.of(20L * writers * size));
    }
}
