package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.Rendezvous.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Check, then insert (R1), and the ways in which two conditions overlap. Racers share a boundary that only one of them
 * may take. Each race has a negative control that removes the protection and sees several winners.
 */
class RacesTest {
    private static final int ROUNDS = 10;
    /** A control ends with the first round that shows the violation, which may take many rounds. */
    private static final int CONTROL_ROUNDS = 200;

    private static StoreDatabase database;
    private static EventStore here;
    private static EventStore there;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        here = database.newStore();
        there = database.newStore();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @AfterEach
    void protect() {
        Protection.restore(database);
        database.clear();
    }

    /*
     * All racers read that the name is free, wait for each other, and append under that condition, half of them through
     * another instance of the store. One append is first; all others must see it.
     */
    @Test
    void one_of_the_racers_that_have_all_read_wins_and_the_others_conflict() {
        int racers = 16;
        for (int round = 0; round < ROUNDS; round++) {
            assertOneWinner(Rendezvous.collide(racers, claimAfterEveryoneHasRead("name:" + round, racers)));
        }
    }

    @Test
    void one_of_unsynchronized_racers_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String name = "name:" + round;
            assertOneWinner(Rendezvous.collide(16, racer -> () -> claim(store(racer), name)));
        }
    }

    /* With positions from a sequence the primary key does not prevent the race, as in other event stores. */
    @Test
    void without_the_lock_several_racers_win() {
        Protection.drawPositionsFromSequence(database);

        assertThat(mostWinners(round -> claimAfterEveryoneHasRead("name:" + round, 8)))
                .isGreaterThan(1);
    }

    @Test
    void a_check_before_an_unconditional_append_lets_several_racers_win() {
        CyclicBarrier checked = new CyclicBarrier(8);

        List<Outcome<AppendResult>> outcomes = Rendezvous.collide(8, racer -> () -> {
            assertThat(here.exists(claims("name:1"))).isFalse();
            Rendezvous.meet(checked);
            return here.append(List.of(claimed("name:1")));
        });

        assertThat(winners(outcomes)).hasSizeGreaterThan(1);
    }

    /*
     * One boundary is a course and a student, the other the course alone. Locks on a hash of the whole condition would
     * let both pass, because the conditions differ. Each racer's event matches the other's condition.
     */
    @Test
    void one_of_two_overlapping_boundaries_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String course = "course:" + round;
            assertOneWinner(Rendezvous.collide(8, racer -> () -> claimOverlapping(racer, course)));
        }
    }

    @Test
    void locks_on_whole_conditions_let_overlapping_boundaries_win_together() {
        Protection.lockByWholeCondition(database);

        assertThat(mostWinners(round -> racer -> () -> claimOverlapping(racer, "course:" + round)))
                .isGreaterThan(1);
    }

    /* A nested function finds the conflict by an intersection of two tags. */
    @Test
    void one_of_the_racers_for_a_pair_of_tags_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            String[] pair = {"course:" + round, "student:" + round};
            Query boundary = Query.of(QueryItem.types("Enrolled").tagged(pair));

            assertOneWinner(Rendezvous.collide(
                    8,
                    racer -> () -> store(racer)
                            .append(
                                    List.of(Event.of("Enrolled", "{}", pair)),
                                    AppendCondition.failIfEventsMatch(boundary))));
        }
    }

    /* One condition names only the type of an event, the other only its tag: they share no key to lock. */
    @Test
    void a_condition_on_a_type_and_one_on_a_tag_of_the_same_event_cannot_both_win() {
        for (int round = 0; round < ROUNDS; round++) {
            String type = "Issued" + round;
            String tag = "number:" + round;

            assertOneWinner(Rendezvous.collide(
                    8,
                    racer -> () -> store(racer)
                            .append(
                                    List.of(Event.of(type, "{}", tag)),
                                    AppendCondition.failIfEventsMatch(
                                            Query.of(racer % 2 == 0 ? QueryItem.types(type) : QueryItem.tags(tag))))));
        }
    }

    /*
     * One seat is left in the course, and each racer is a different student. The boundary is "enrollments of the course
     * OR enrollments of the student". Flattened to "of the course AND of the student", the condition does not match the
     * events of other students.
     */
    @Test
    void the_last_seat_goes_to_one_student() {
        for (int round = 0; round < ROUNDS; round++) {
            String course = "course:" + round;
            assertOneWinner(Rendezvous.collide(
                    8, racer -> () -> enroll(store(racer), course, course + "-student:" + racer, false)));
        }
    }

    @Test
    void a_flattened_condition_overbooks_the_course() {
        List<Outcome<AppendResult>> outcomes =
                Rendezvous.collide(8, racer -> () -> enroll(here, "course:1", "student:" + racer, true));

        assertThat(winners(outcomes)).hasSizeGreaterThan(1);
    }

    @Test
    void unrelated_appends_do_not_conflict() {
        List<Outcome<AppendResult>> outcomes =
                Rendezvous.collide(20, racer -> () -> claim(store(racer), "name:" + racer));

        assertThat(winners(outcomes)).hasSize(20);
    }

    private static long mostWinners(IntFunction<IntFunction<Callable<AppendResult>>> race) {
        long most = 0;
        for (int round = 0; round < CONTROL_ROUNDS && most <= 1; round++) {
            most = Math.max(
                    most, winners(Rendezvous.collide(8, race.apply(round))).size());
        }
        return most;
    }

    private static AppendResult claimOverlapping(int racer, String course) {
        boolean isPair = racer % 2 == 0;
        String student = course + "-student:" + (isPair ? 1 : racer);
        Query boundary = isPair
                ? Query.of(
                        QueryItem.types("Enrolled").tagged(course),
                        QueryItem.types("Enrolled").tagged(student))
                : Query.of(QueryItem.tags(course));
        return store(racer)
                .append(
                        List.of(Event.of("Enrolled", "{}", course, student)),
                        AppendCondition.failIfEventsMatch(boundary));
    }

    private static EventStore store(int racer) {
        return racer % 2 == 0 ? here : there;
    }

    private static IntFunction<Callable<AppendResult>> claimAfterEveryoneHasRead(String name, int racers) {
        CyclicBarrier haveRead = new CyclicBarrier(racers);
        return racer -> () -> {
            AppendCondition condition =
                    store(racer).project(new Count(claims(name))).appendCondition();
            Rendezvous.meet(haveRead);
            return store(racer).append(List.of(claimed(name)), condition);
        };
    }

    private static AppendResult claim(EventStore store, String name) {
        return store.append(List.of(claimed(name)), AppendCondition.failIfEventsMatch(claims(name)));
    }

    private static AppendResult enroll(EventStore store, String course, String student, boolean flattened) {
        QueryItem ofCourse = QueryItem.types("Enrolled").tagged(course);
        Query boundary = flattened
                ? Query.of(ofCourse.tagged(student))
                : Query.of(ofCourse, QueryItem.types("Enrolled").tagged(student));
        return store.append(
                List.of(Event.of("Enrolled", "{}", course, student)), AppendCondition.failIfEventsMatch(boundary));
    }

    private static Query claims(String name) {
        return Query.of(QueryItem.types("Claimed").tagged(name));
    }

    private static Event claimed(String name) {
        return Event.of("Claimed", "{}", name);
    }

    private static void assertOneWinner(List<Outcome<AppendResult>> outcomes) {
        assertThat(isOneWinner(outcomes)).as("%s", outcomes).isTrue();
    }

    private static boolean isOneWinner(List<Outcome<AppendResult>> outcomes) {
        long conflicts = outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Returned<AppendResult>(Conflict conflict))
                .count();
        return winners(outcomes).size() == 1 && conflicts == outcomes.size() - 1;
    }

    private static List<Appended> winners(List<Outcome<AppendResult>> outcomes) {
        List<Appended> winners = new ArrayList<>();
        for (Outcome<AppendResult> outcome : outcomes) {
            if (outcome instanceof Outcome.Returned<AppendResult>(Appended appended)) {
                winners.add(appended);
            }
        }
        return winners;
    }

    private record Count(Query query) implements Projection<Integer> {
        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer state, SequencedEvent event) {
            return state + 1;
        }
    }
}
