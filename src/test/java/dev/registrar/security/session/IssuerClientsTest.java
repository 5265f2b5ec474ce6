package dev.registrar.security.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

class IssuerClientsTest {
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicLong nanoTime = new AtomicLong();

    @Test
    void while_one_login_waits_for_the_issuer_the_others_are_refused_at_once() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        IssuerClients clients = new IssuerClients(
                () -> {
                    asked.countDown();
                    await(answer);
                    return id -> null;
                },
                PAUSE,
                nanoTime::get);
        Thread first = Thread.ofVirtual().start(() -> clients.findByRegistrationId("registrar"));
        asked.await();

        assertThatThrownBy(() -> clients.findByRegistrationId("registrar"))
                .isInstanceOf(AuthenticationServiceException.class);

        answer.countDown();
        first.join();
        assertThat(clients.findByRegistrationId("registrar")).isNull();
    }

    @Test
    void the_issuer_is_asked_again_after_a_pause_and_not_after_it_has_answered() {
        ClientRegistrationRepository none = id -> null;
        IssuerClients clients = new IssuerClients(
                () -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("No answer");
                    }
                    return none;
                },
                PAUSE,
                nanoTime::get);
        for (int time = 0; time < 3; time++) {
            assertThatThrownBy(() -> clients.findByRegistrationId("registrar"))
                    .isInstanceOf(AuthenticationServiceException.class);
        }
        assertThat(attempts).hasValue(1);

        nanoTime.addAndGet(PAUSE.toNanos());
        clients.findByRegistrationId("registrar");
        clients.findByRegistrationId("registrar");

        assertThat(attempts).hasValue(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
