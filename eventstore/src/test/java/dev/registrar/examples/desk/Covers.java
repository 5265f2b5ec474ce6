package dev.registrar.examples.desk;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.CpuExecutor;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.zip.CRC32;

/** Checksums of the book covers of another server: the caller fetches a cover, a worker computes its checksum. */
final class Covers {
    private final BackOff backOff = BackOff.doubling(Duration.ofMillis(1), Duration.ofMillis(100));
    private final CircuitBreaker breaker = CircuitBreaker.of(
            "covers",
            CircuitBreakerConfig.custom()
                    .slidingWindow(10, 10, SlidingWindowType.TIME_BASED)
                    .recordException(Covers::isOutage)
                    .build());
    private final CpuExecutor executor;
    private final Function<String, byte[]> server;

    Covers(CpuExecutor executor, Function<String, byte[]> server) {
        this.executor = executor;
        this.server = server;
    }

    private static boolean isOutage(Throwable failure) {
        return failure instanceof UncheckedIOException;
    }

    private static long checksum(byte[] cover) {
        CRC32 sum = new CRC32();
        sum.update(cover);
        return sum.getValue();
    }

    long checksumOf(String book) throws InterruptedException {
        byte[] cover = backOff.retry(2, Covers::isOutage, () -> breaker.executeSupplier(() -> server.apply(book)));
        return executor.run(() -> checksum(cover));
    }

    /** Computes the checksums on all workers; the result has the order of the covers. */
    List<Long> checksums(List<byte[]> covers) throws InterruptedException, ExecutionException {
        List<Future<Long>> started = covers.stream()
                .map(cover -> executor.submit(() -> checksum(cover)))
                .toList();
        List<Long> checksums = new ArrayList<>();
        for (Future<Long> checksum : started) {
            checksums.add(checksum.get());
        }
        return checksums;
    }
}
