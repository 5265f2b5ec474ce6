package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a caller's login ends. */
class LoginEndTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void a_login_without_an_end_never_ends() {
        LoginEnd never = new LoginEnd(null);

        assertThat(never.isReached()).isFalse();
        assertThat(never.left(LONG)).isEqualTo(LONG);
    }

    @Test
    void no_wait_is_longer_than_the_login() {
        LoginEnd soon = new LoginEnd(Instant.now().plus(Duration.ofMinutes(5)));

        assertThat(soon.isReached()).isFalse();
        assertThat(soon.left(LONG)).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(5));
        assertThat(soon.left(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void an_ended_login_leaves_no_time() {
        LoginEnd past = new LoginEnd(Instant.now().minus(LONG));

        assertThat(past.isReached()).isTrue();
        assertThat(past.left(LONG)).isZero();
    }
}
