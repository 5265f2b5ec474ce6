package dev.registrar.http.problem;

import dev.registrar.decision.Decision;
import dev.registrar.enrollment.Refusal;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.validation.annotation.Validated;

/**
 * The latest refusals of commands by this instance, to be found by the correlation id that a caller names. They have no
 * personal data: neither the ids and texts of a command nor the explanation, which names them. A restart removes them.
 */
@Component
public final class KeptRefusals {
    /** Maximum number of refusals that are found under one correlation id. */
    public static final int MAX_FOUND = 20;

    /*
     * Why a refusal waits for no other one: a number, which only grows, gives it a place in the ring. A thread that is
     * slower than a whole round may replace a later refusal by its own, and the ring has its size in any case.
     */
    private final AtomicReferenceArray<KeptRefusal> ring;
    private final AtomicLong taken = new AtomicLong();

    public KeptRefusals(Settings settings) {
        this.ring = new AtomicReferenceArray<>(settings.kept());
    }

    /**
     * The settings of the refusals that are kept.
     *
     * @param kept the most refusals of commands that this instance keeps, the latest ones, each with up to half a KB of
     *     heap; 0 for none
     */
    @Validated
    @ConfigurationProperties("registrar.http.refusals")
    public record Settings(
            @DefaultValue("1000") @Min(0) @Max(100_000) int kept) {}

    /**
     * A command that was refused.
     *
     * @param number orders the refusals of this instance
     * @param code of the problem
     * @param status of the problem
     */
    public record KeptRefusal(
            long number, Instant refusedAt, String correlationId, String commandType, String code, HttpStatus status) {}

    /** The status of the problem that a refusal is answered with. */
    public static HttpStatus status(Refusal reason) {
        return reason.isAboutUnknown() ? HttpStatus.NOT_FOUND : HttpStatus.CONFLICT;
    }

    /** The most refusals that are kept. */
    public int most() {
        return ring.length();
    }

    /** Keeps a refusal, in place of the oldest one if there are too many. */
    public void keep(String correlationId, Decision<?, ?> command, Refusal reason) {
        if (most() > 0) {
            long number = taken.getAndIncrement();
            ring.set(
                    (int) (number % most()),
                    new KeptRefusal(
                            number,
                            Instant.now().truncatedTo(ChronoUnit.MICROS),
                            correlationId,
                            command.commandType(),
                            reason.code(),
                            status(reason)));
        }
    }

    /** The latest {@value #MAX_FOUND} refusals with a correlation id, the latest first. */
    public List<KeptRefusal> find(String correlationId) {
        return IntStream.range(0, most())
                .mapToObj(ring::get)
                .filter(Objects::nonNull)
                .filter(kept -> kept.correlationId().equals(correlationId))
                .sorted(Comparator.comparingLong(KeptRefusal::number).reversed())
                .limit(MAX_FOUND)
                .toList();
    }
}
