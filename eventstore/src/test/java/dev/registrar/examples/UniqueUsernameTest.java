package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.examples.UniqueUsernameTest.Accounts.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A username belongs to one account until three days after the account is closed or takes another name.
 *
 * @see <a href="https://dcb.events/examples/unique-username/">the published example and its cases</a>
 */
@OnEveryStore
class UniqueUsernameTest {
    private static final Duration RETENTION = Duration.ofDays(3);

    private final ExampleStore example;
    private final Accounts accounts;

    UniqueUsernameTest(ExampleStore example) {
        this.example = example;
        this.accounts = new Accounts(example.emptied(), example.clock(), RETENTION);
    }

    record AccountRegistered(String username) {}

    record AccountClosed(String username) {}

    record UsernameChanged(String oldUsername, String newUsername) {}

    /** The part of an application that registers accounts. */
    static final class Accounts {
        private final EventStore store;
        private final InstantSource clock;
        private final Duration retention;

        /** The outcome of a registration. */
        enum Answer {
            REGISTERED,
            USERNAME_IS_CLAIMED,
            CONCURRENT_UPDATE;

            /** The message of the published example. */
            String message(String username) {
                return switch (this) {
                    case REGISTERED -> "Username \"%s\" is registered".formatted(username);
                    case USERNAME_IS_CLAIMED -> "Username \"%s\" is claimed".formatted(username);
                    case CONCURRENT_UPDATE -> "Concurrent update";
                };
            }
        }

        Accounts(EventStore store, InstantSource clock, Duration retention) {
            this.store = store;
            this.clock = clock;
            this.retention = retention;
        }

        Answer register(String username) {
            UsernameClaim projection = new UsernameClaim(username);
            Projected projected = store.project(projection);
            if (isClaimed(projected.state(projection))) {
                return Answer.USERNAME_IS_CLAIMED;
            }
            List<Event> events = List.of(registered(username));
            return switch (store.append(events, projected.appendCondition())) {
                case Appended appended -> Answer.REGISTERED;
                case Conflict conflict -> Answer.CONCURRENT_UPDATE;
                case StoreReplaced replaced -> Answer.CONCURRENT_UPDATE;
            };
        }

        /* The time is not part of the fold: a state stays valid while time passes, and can be cached. */
        private boolean isClaimed(Claim claim) {
            return switch (claim) {
                case Claim.Never never -> false;
                case Claim.Held held -> true;
                case Claim.Released released ->
                    !clock.instant().isAfter(released.at().plus(retention));
            };
        }
    }

    /** The holder of a username. */
    sealed interface Claim {
        record Never() implements Claim {}

        record Held() implements Claim {}

        record Released(Instant at) implements Claim {}
    }

    /** Follows one username through its accounts. */
    record UsernameClaim(String username) implements Projection<Claim> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("AccountRegistered", "AccountClosed", "UsernameChanged")
                    .tagged(tag(username)));
        }

        @Override
        public Claim initial() {
            return new Claim.Never();
        }

        @Override
        public Claim apply(Claim claim, SequencedEvent event) {
            return switch (event.event().type()) {
                case "AccountRegistered" -> new Claim.Held();
                case "AccountClosed" -> new Claim.Released(event.recordedAt());
                default -> {
                    UsernameChanged changed = Json.data(event.event(), UsernameChanged.class);
                    yield changed.newUsername().equals(username)
                            ? new Claim.Held()
                            : new Claim.Released(event.recordedAt());
                }
            };
        }
    }

    static Event registered(String username) {
        return Json.event(new AccountRegistered(username), tag(username));
    }

    static Event closed(String username) {
        return Json.event(new AccountClosed(username), tag(username));
    }

    /** An event about two usernames: both are in its tags. */
    static Event changed(String oldUsername, String newUsername) {
        return Json.event(new UsernameChanged(oldUsername, newUsername), tag(oldUsername), tag(newUsername));
    }

    private static String tag(String username) {
        return "username:" + Json.hash(username);
    }

    @Test
    void a_claimed_username_is_refused() {
        example.given(registered("u1"));

        assertThat(accounts.register("u1").message("u1")).isEqualTo("Username \"u1\" is claimed");
        assertThat(example.happened(AccountRegistered.class)).hasSize(1);
    }

    @Test
    void an_unused_username_is_registered() {
        assertThat(accounts.register("u1")).isEqualTo(Answer.REGISTERED);
        assertThat(example.happened(AccountRegistered.class)).containsExactly(new AccountRegistered("u1"));
    }

    @Test
    void without_retention_the_username_of_a_closed_account_is_free() {
        example.given(registered("u1"), closed("u1"));

        assertThat(withoutRetention().register("u1")).isEqualTo(Answer.REGISTERED);
    }

    @Test
    void without_retention_the_former_username_of_an_account_is_free() {
        example.given(registered("u1"), changed("u1", "u1changed"));

        assertThat(withoutRetention().register("u1")).isEqualTo(Answer.REGISTERED);
    }

    @Test
    void the_new_username_of_an_account_is_claimed() {
        example.given(registered("u1"), changed("u1", "u1changed"));

        assertThat(withoutRetention().register("u1changed").message("u1changed"))
                .isEqualTo("Username \"u1changed\" is claimed");
    }

    @Test
    void the_username_of_an_account_closed_three_days_ago_is_claimed() {
        example.given(Duration.ofDays(4), registered("u1"));
        example.given(Duration.ofDays(3), closed("u1"));

        assertThat(accounts.register("u1").message("u1")).isEqualTo("Username \"u1\" is claimed");
    }

    @Test
    void the_username_of_an_account_closed_four_days_ago_is_free() {
        example.given(Duration.ofDays(4), registered("u1"), closed("u1"));

        assertThat(accounts.register("u1")).isEqualTo(Answer.REGISTERED);
    }

    @Test
    void the_username_changed_three_days_ago_is_claimed() {
        example.given(Duration.ofDays(4), registered("u1"));
        example.given(Duration.ofDays(3), changed("u1", "u1changed"));

        assertThat(accounts.register("u1").message("u1")).isEqualTo("Username \"u1\" is claimed");
    }

    @Test
    void the_username_changed_four_days_ago_is_free() {
        example.given(Duration.ofDays(4), registered("u1"), changed("u1", "u1changed"));

        assertThat(accounts.register("u1")).isEqualTo(Answer.REGISTERED);
    }

    @Test
    void a_username_registered_again_is_claimed_again() {
        example.given(Duration.ofDays(9), registered("u1"), closed("u1"));
        accounts.register("u1");

        assertThat(accounts.register("u1").message("u1")).isEqualTo("Username \"u1\" is claimed");
    }

    /*
     * Sixteen users request one name at the same time. A user that reads before the first append fails the condition. A
     * user that reads after it sees the claim.
     */
    @Test
    void one_of_sixteen_concurrent_users_gets_the_username() throws Exception {
        List<Callable<Answer>> racers = IntStream.range(0, 16)
                .<Callable<Answer>>mapToObj(racer -> () -> accounts.register("u1"))
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(racers.size())) {
            int winners = 0;
            for (Future<Answer> answer : threads.invokeAll(racers)) {
                winners += answer.get() == Answer.REGISTERED ? 1 : 0;
            }
            assertThat(winners).isEqualTo(1);
        }
        assertThat(example.happened(AccountRegistered.class)).hasSize(1);
    }

    private Accounts withoutRetention() {
        return new Accounts(example.store(), example.clock(), Duration.ZERO);
    }
}
