package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    @Test
    void something_is_permitted_once_in_an_interval() {
        Throttle daily = new Throttle(Duration.ofDays(1));

        assertThat(daily.tryAcquire()).isTrue();
        assertThat(daily.tryAcquire()).isFalse();
    }

    @Test
    void something_is_permitted_again_after_the_interval() {
        Throttle always = new Throttle(Duration.ZERO);

        assertThat(always.tryAcquire()).isTrue();
        assertThat(always.tryAcquire()).isTrue();
    }
}
