package dev.registrar.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoversTest {
    private static final byte[] COVER = {1, 2, 3};
    private static final long CHECKSUM = 0x55bc801dL;

    private final CpuExecutor executor = CpuExecutor.open(CpuOptions.defaults());
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() {
        executor.close();
    }

    private Covers covers(int failures) {
        return new Covers(executor, book -> {
            if (calls.getAndIncrement() < failures) {
                throw new UncheckedIOException(new IOException("gone"));
            }
            return COVER;
        });
    }

    @Test
    void a_call_that_failed_temporarily_is_repeated() throws InterruptedException {
        assertThat(covers(2).checksumOf("emma")).isEqualTo(CHECKSUM);
        assertThat(calls).hasValue(3);
    }

    @Test
    void a_server_that_is_down_is_not_called_for_a_while() {
        Covers covers = covers(Integer.MAX_VALUE);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> covers.checksumOf("emma")).isInstanceOf(UncheckedIOException.class);
        }

        assertThatThrownBy(() -> covers.checksumOf("emma")).isInstanceOf(CallNotPermittedException.class);
        assertThat(calls).hasValue(10);
    }

    @Test
    void many_covers_are_computed_at_once() throws Exception {
        assertThat(covers(0).checksums(List.of(COVER, new byte[0]))).containsExactly(CHECKSUM, 0L);
    }
}
