package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When stored events have got tags, no instance decides on what it has cached of them before. */
class RetaggedStatesTest {
    private final StoreDatabase database = new StoreDatabase();
    private final PostgresEventStore store = database.newStore();
    private final Rooms.Codec codec = new Rooms.Codec();
    private final DecisionLoop<SeatTaken> here = new DecisionLoop<>(store, codec);
    private final DecisionLoop<SeatTaken> there = new DecisionLoop<>(database.newStore(), codec);

    @AfterEach
    void close() {
        database.close();
    }

    /** The seats of one room now count for another one, too. */
    private void joinRooms(String from, String to) {
        store.retag(
                Query.of(QueryItem.tags("room:" + from)),
                Set.of(new Tag("room:" + to)),
                Actor.of("issuer", "admin"),
                "ticket 17");
    }

    @Test
    void all_instances_fold_the_facts_again_that_name_the_tag_and_no_others() {
        here.execute(TakeSeats.of("A", 9, "ann"));
        for (DecisionLoop<SeatTaken> loop : List.of(here, there)) {
            assertThat(loop.execute(TakeSeats.of("A", 9, "carl"))).isInstanceOf(Accepted.class);
            assertThat(loop.execute(TakeSeats.of("B", 9, "bob"))).isInstanceOf(Accepted.class);
            assertThat(loop.execute(TakeSeats.of("C", 9, "dora"))).isInstanceOf(Accepted.class);
        }
        there.execute(TakeSeats.of("C", 9, "eve"));
        codec.guestsRead();

        joinRooms("A", "B");

        assertThat(there.execute(TakeSeats.of("C", 9, "fred"))).isInstanceOf(Accepted.class);
        assertThat(codec.guestsRead()).isEmpty();
        assertThat(here.execute(TakeSeats.of("B", 5, "gina"))).isInstanceOf(Rejected.class);
        assertThat(there.execute(TakeSeats.of("B", 5, "gina"))).isInstanceOf(Rejected.class);
        assertThat(there.execute(TakeSeats.of("B", 6, "gina"))).isInstanceOf(Accepted.class);
        assertThat(here.execute(TakeSeats.of("B", 6, "hugo"))).isInstanceOf(Rejected.class);
    }

    /** Fails once, after a number of events. */
    private static final class FailingCodec implements EventCodec<SeatTaken> {
        private final Rooms.Codec rooms = new Rooms.Codec();
        private int left = Integer.MAX_VALUE;

        @Override
        public Encoded encode(SeatTaken event) {
            return rooms.encode(event);
        }

        @Override
        public SeatTaken decode(String type, String payload) {
            if (left-- == 0) {
                throw new IllegalStateException("the deadline is over");
            }
            return rooms.decode(type, payload);
        }
    }

    /* Without the comparison of the reads, each attempt would begin at the cached state, which is lost, and so again. */
    @Test
    void a_long_fold_that_begins_again_and_is_interrupted_goes_on() {
        FailingCodec failing = new FailingCodec();
        DecisionLoop<SeatTaken> loop = new DecisionLoop<>(store, failing);
        store.append(IntStream.range(0, 200)
                .mapToObj(i -> codec.encode(new SeatTaken("A", "guest")).event())
                .toList());
        assertThat(loop.execute(TakeSeats.of("B", 999, "bob"))).isInstanceOf(Accepted.class);
        joinRooms("A", "B");
        failing.left = 150;
        assertThatThrownBy(() -> loop.execute(TakeSeats.of("B", 999, "carl"))).hasMessageContaining("deadline");
        failing.rooms.guestsRead();

        assertThat(loop.execute(TakeSeats.of("B", 202, "carl"))).isInstanceOf(Accepted.class);

        assertThat(failing.rooms.guestsRead()).hasSizeLessThan(200);
        assertThat(loop.execute(TakeSeats.of("B", 202, "dora"))).isInstanceOf(Rejected.class);
    }

    /* The decision has read its fact; then the tag is added; then it would be accepted. */
    @Test
    void a_decision_that_is_under_way_is_made_again() {
        here.execute(TakeSeats.of("A", 9, "ann"));
        Decision<SeatTaken, Refused> slow = new Decision<>() {
            private boolean isJoined;

            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return TakeSeats.of("B", 1, "bob").facts();
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                Verdict<SeatTaken, Refused> verdict =
                        TakeSeats.of("B", 1, "bob").decide(facts, now);
                if (!isJoined) {
                    isJoined = true;
                    joinRooms("A", "B");
                }
                return verdict;
            }
        };

        assertThat(here.execute(slow)).isInstanceOf(Rejected.class);
    }
}
