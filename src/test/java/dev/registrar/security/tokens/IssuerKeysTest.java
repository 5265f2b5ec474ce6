package dev.registrar.security.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IssuerKeysTest {
    private static final Duration REFRESH = Duration.ofMinutes(5);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofNanos(1);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile List<String> published = List.of("a");
    private volatile boolean down;
    private final IssuerKeys keys = new IssuerKeys(
            "http://issuer.example",
            this::read,
            new TokenSettings(Duration.ZERO, REFRESH, RETENTION, PAUSE, Duration.ofSeconds(1)),
            now::get);

    private JWKSet read() throws IOException {
        attempts.incrementAndGet();
        if (down) {
            throw new IOException("Connection refused");
        }
        return new JWKSet(published.stream().map(IssuerKeysTest::key).toList());
    }

    private static com.nimbusds.jose.jwk.JWK key(String id) {
        return new RSAKey.Builder(Base64URL.encode(BigInteger.ONE.shiftLeft(2047)), Base64URL.encode(BigInteger.TEN))
                .keyID(id)
                .build();
    }

    private boolean has(String id) throws RemoteKeySourceException {
        return !keys.get(new JWKSelector(new JWKMatcher.Builder().keyID(id).build()), null)
                .isEmpty();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void nothing_is_fetched_before_a_token_needs_it() throws RemoteKeySourceException {
        assertThat(attempts).hasValue(0);
        assertThat(has("a")).isTrue();
        assertThat(has("a")).isTrue();
        assertThat(attempts).hasValue(1);
    }

    @Test
    void an_unknown_key_is_fetched_at_most_once_in_each_pause() throws RemoteKeySourceException {
        assertThat(has("a")).isTrue();
        published = List.of("a", "b");

        assertThat(has("b")).isFalse();
        pass(PAUSE.minus(TICK));
        assertThat(has("b")).isFalse();
        assertThat(attempts).hasValue(1);

        pass(TICK);
        assertThat(has("b")).isTrue();
        assertThat(has("invented")).isFalse();
        assertThat(attempts).hasValue(2);
    }

    @Test
    void a_withdrawn_key_is_used_until_the_keys_are_fetched_again() throws RemoteKeySourceException {
        assertThat(has("a")).isTrue();
        published = List.of("b");

        pass(REFRESH.minus(TICK));
        assertThat(has("a")).isTrue();
        pass(TICK);
        assertThat(has("a")).isFalse();
        assertThat(has("b")).isTrue();
    }

    @Test
    void keys_outlast_an_issuer_that_is_down_and_then_the_answer_is_a_failure() throws RemoteKeySourceException {
        assertThat(has("a")).isTrue();
        down = true;

        pass(RETENTION.minus(TICK));
        assertThat(has("a")).isTrue();
        pass(TICK);
        assertThatThrownBy(() -> has("a")).isInstanceOf(RemoteKeySourceException.class);

        down = false;
        assertThatThrownBy(() -> has("a")).as("within the pause").isInstanceOf(RemoteKeySourceException.class);
        pass(PAUSE);
        assertThat(has("a")).isTrue();
    }

    @Test
    void an_issuer_that_is_down_costs_one_attempt_in_each_pause() throws RemoteKeySourceException {
        down = true;
        for (int request = 0; request < 100; request++) {
            assertThatThrownBy(() -> has("a")).isInstanceOf(RemoteKeySourceException.class);
        }
        assertThat(attempts).hasValue(1);

        down = false;
        pass(PAUSE);
        assertThat(has("a")).isTrue();
        assertThat(attempts).hasValue(2);
    }

    /* The key may be new. */
    @Test
    void an_unknown_key_is_a_failure_while_the_issuer_is_down() throws RemoteKeySourceException {
        assertThat(has("a")).isTrue();
        assertThat(has("b")).isFalse();
        down = true;
        pass(PAUSE);

        assertThatThrownBy(() -> has("b")).isInstanceOf(RemoteKeySourceException.class);
        assertThatThrownBy(() -> has("b")).isInstanceOf(RemoteKeySourceException.class);
        assertThat(has("a")).isTrue();
        assertThat(attempts).hasValue(2);
    }

    /* One thread is held in its attempt. With keys that may be used, the second thread goes on; without, it waits. */
    @Test
    void one_thread_fetches_and_the_others_wait_only_without_keys() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
        List<Future<Boolean>> waiting = new ArrayList<>();
        AtomicInteger held = new AtomicInteger();
        IssuerKeys slow = new IssuerKeys(
                "http://issuer.example",
                () -> {
                    if (held.incrementAndGet() == 2) {
                        reading.countDown();
                        answer.join();
                    }
                    return new JWKSet(key("a"));
                },
                new TokenSettings(Duration.ZERO, REFRESH, RETENTION, PAUSE, Duration.ofSeconds(1)),
                now::get);
        JWKSelector any = new JWKSelector(new JWKMatcher.Builder().keyID("a").build());
        assertThat(slow.get(any, null)).hasSize(1);

        pass(REFRESH);
        waiting.add(CompletableFuture.supplyAsync(() -> isFound(slow, any)));
        reading.await();
        assertThat(slow.get(any, null)).as("with keys of before").hasSize(1);
        pass(RETENTION);
        waiting.add(CompletableFuture.supplyAsync(() -> isFound(slow, any)));
        assertThat(waiting).noneMatch(Future::isDone);
        answer.complete(null);

        for (Future<Boolean> each : waiting) {
            assertThat(each.get()).isTrue();
        }
        assertThat(held).hasValue(2);
    }

    private static boolean isFound(IssuerKeys keys, JWKSelector selector) {
        try {
            return !keys.get(selector, null).isEmpty();
        } catch (RemoteKeySourceException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
