package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.TagSecret;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Tags under a secret, and the store that has a secret's check value. */
class TagSecretTest {
    private static final String TEXT = "0123456789abcdef0123456789abcdef";
    private static final TagSecret SECRET = TagSecret.of(TEXT);
    private static final TagSecret OTHER = TagSecret.of(TEXT + "0");

    @Test
    void a_value_has_one_tag_under_a_secret_and_another_one_under_another() {
        assertThat(SECRET.tag("email:", "ann@example.org"))
                .isEqualTo(TagSecret.of(TEXT).tag("email:", "ann@example.org"))
                .isNotEqualTo(OTHER.tag("email:", "ann@example.org"))
                .isNotEqualTo(SECRET.tag("email:", "bob@example.org"));
        assertThat(SECRET.tag("email:", "ann@example.org").value()).matches("email:[0-9a-f]{64}");
        // printf 'tag\0email:\0ann@example.org' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
        assertThat(SECRET.tag("email:", "ann@example.org").value())
                .isEqualTo("email:8d10dfc770c2d05fe0d2451aa9ad3f8246685ed8b402f14054740833c7d9f6db");
    }

    @Test
    void the_secret_is_in_no_text() {
        assertThat(SECRET.toString() + SECRET.checkValue()).doesNotContain(TEXT);
    }

    @Test
    void a_short_secret_is_refused_without_showing_it() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TagSecret.of("short"))
                .withMessage("A secret of tags must have at least 32 characters, but has 5");
    }

    @Test
    void a_store_takes_its_first_secret_and_refuses_another() {
        try (StoreDatabase database = StoreDatabase.of(StoreDatabase.migrated())) {
            database.newStore().requireTagSecret(SECRET);

            database.newStore().requireTagSecret(SECRET);
            PostgresEventStore other = database.newStore();
            assertThatThrownBy(() -> other.requireTagSecret(OTHER))
                    .isInstanceOf(StoreStartFailure.class)
                    .hasMessageContaining("made under another secret");
        }
    }

    @Test
    void of_instances_that_start_at_once_with_different_secrets_those_of_one_secret_start() throws Exception {
        try (StoreDatabase database = StoreDatabase.of(StoreDatabase.migrated());
                ExecutorService instances = Executors.newVirtualThreadPerTaskExecutor()) {
            PostgresEventStore store = database.newStore();
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                TagSecret secret = TagSecret.of(TEXT + i);
                starts.add(instances.submit(() -> store.requireTagSecret(secret)));
            }
            int started = 0;
            for (Future<?> start : starts) {
                try {
                    start.get();
                    started++;
                } catch (ExecutionException refused) {
                    assertThat(refused).hasCauseInstanceOf(StoreStartFailure.class);
                }
            }
            assertThat(started).isEqualTo(1);
        }
    }
}
