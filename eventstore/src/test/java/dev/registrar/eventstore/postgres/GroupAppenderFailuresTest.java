package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Requests that fail, wait too long or are refused, and the effect on their group. */
class GroupAppenderFailuresTest extends GroupAppenderFixture {
    /* A constraint unknown to the store stands for any value that the database cannot store. */
    @Test
    void a_value_that_the_database_refuses_fails_only_its_own_request() throws Exception {
        letGo();
        database.execute(
                "alter table registrar.events add constraint no_bad_payload check (payload <> '\"bad\"') not valid");
        try {
            begin(Map.of());
            send(guarded("a"), guarded("b"), Append.of(Event.of("Bad", "\"bad\"")), guarded("c"));
            letGo();

            assertThat(failures()).hasSize(1).first().isInstanceOf(RefusedInputException.class);
            assertThat(answers.get(1).get()).isEqualTo(at(2));
            assertThat(answers.get(3).get()).isEqualTo(at(3));
        } finally {
            database.execute("alter table registrar.events drop constraint no_bad_payload");
        }
    }

    @Test
    void a_full_queue_refuses_at_once() throws Exception {
        begin(Map.of("group.max-waiting", 2));
        send(guarded("a"), guarded("b"), guarded("c"));

        assertThatThrownBy(() -> store.append(guarded("d"))).isInstanceOf(OverloadedException.class);
        letGo();
        assertThat(results()).containsExactly(at(1), at(2), at(3));
        assertThat(store.exists(Query.of(QueryItem.tags("d")))).isFalse();
    }

    @Test
    void a_request_that_waited_too_long_is_not_appended_later() throws Exception {
        begin(Map.of("group.max-wait", "50ms"));
        send(guarded("a"));

        assertThatThrownBy(() -> store.append(guarded("b"))).isInstanceOf(StoreTimeoutException.class);
        letGo();
        assertThat(results()).containsExactly(at(1));
        assertThat(store.append(guarded("c"))).isEqualTo(at(2));
        assertThat(store.exists(Query.of(QueryItem.tags("b")))).isFalse();
    }

    @Test
    void a_request_whose_caller_is_interrupted_is_not_appended_later() throws Exception {
        send(guarded("a"));
        Thread interrupted = Thread.ofVirtual().unstarted(() -> store.append(guarded("b")));
        List<Throwable> failures = new ArrayList<>();
        interrupted.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        interrupted.start();
        await().until(() -> queued() == 1);

        interrupted.interrupt();
        interrupted.join();
        letGo();

        assertThat(failures).hasSize(1).first().isInstanceOf(StoreUnavailableException.class);
        assertThat(results()).containsExactly(at(1));
        assertThat(store.exists(Query.of(QueryItem.tags("b")))).isFalse();
    }

    @Test
    void a_lost_connection_leaves_the_outcome_unknown_for_its_group_alone() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"));

        await().until(() -> database.cutWaitingConnections() == 1);
        await().until(() -> onTheirWay() == 2);
        letGo();

        assertThat(failures()).hasSize(1).first().isInstanceOf(OutcomeUnknownException.class);
        assertThat(answers.get(1).get()).isEqualTo(at(1));
        assertThat(answers.get(2).get()).isEqualTo(at(2));
    }

    /*
     * The first request's group has been sent. Another session gets the store's lock next, so that the group of the
     * other three waits. Then the test cancels the call of that group.
     */
    @Test
    void a_group_whose_call_is_cancelled_is_split_into_single_requests() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"), guarded("d"));
        await().until(() -> database.advisoryLocksWaitedFor() == 1);
        try (Connection second = database.connect()) {
            second.setAutoCommit(false);
            Future<?> locking = callers.submit(() -> {
                StoreDatabase.lockStore(second);
                return null;
            });
            await().until(() -> database.advisoryLocksWaitedFor() == 2);
            letGo();
            locking.get();
            await().until(() -> requestsOnTheirWay() == 4 && database.advisoryLocksWaitedFor() == 1);

            assertThat(database.cancelWhateverWaits()).isEqualTo(1);
            await().until(() -> onTheirWay() == 3 && database.advisoryLocksWaitedFor() == 1);
            assertThat(database.cancelWhateverWaits()).isEqualTo(1);
            await().until(() -> onTheirWay() == 4 && database.advisoryLocksWaitedFor() == 1);
            second.rollback();
        }

        assertThat(failures()).hasSize(1).first().isInstanceOf(StoreTimeoutException.class);
        assertThat(answers.get(0).get()).isEqualTo(at(1));
        assertThat(answers.get(2).get()).isEqualTo(at(2));
        assertThat(answers.get(3).get()).isEqualTo(at(3));
    }
}
