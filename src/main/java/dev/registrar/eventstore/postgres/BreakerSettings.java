package dev.registrar.eventstore.postgres;

import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When the database is not asked any more for a while, because it fails. A call is a read or a whole group of appends;
 * only what speaks against the database as a whole counts as a failure.
 *
 * @param enabled whether there is a circuit breaker at all
 * @param failureRate per cent of failed calls from which the circuit opens
 * @param minimumCalls before which it never opens
 * @param window over which calls are counted, in whole seconds
 * @param openFor how long nobody is let through once it is open
 * @param trialCalls that are let through then, and decide whether it closes or opens again
 */
public record BreakerSettings(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("50") @Min(1) @Max(100) int failureRate,
        @DefaultValue("10") @Min(1) @Max(100_000) int minimumCalls,

        @DefaultValue("10s") @NotNull @DurationMin(seconds = 1) @DurationMax(minutes = 10)
        Duration window,

        @DefaultValue("2s") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 10)
        Duration openFor,

        @DefaultValue("3") @Min(1) @Max(1_000) int trialCalls) {

    CircuitBreakerConfig config() {
        return CircuitBreakerConfig.custom()
                .slidingWindow(Math.toIntExact(window.toSeconds()), minimumCalls, SlidingWindowType.TIME_BASED)
                .failureRateThreshold(failureRate)
                .waitDurationInOpenState(openFor)
                .permittedNumberOfCallsInHalfOpenState(trialCalls)
                // As long as it takes: whoever is let through tells how it went, or gives the permission back.
                .maxWaitDurationInHalfOpenState(Duration.ZERO)
                .initialState(enabled ? State.CLOSED : State.DISABLED)
                .build();
    }
}
