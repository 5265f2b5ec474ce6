package dev.registrar.security;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The time at which the caller's login ends. An answer that is written for longer than that ends, too.
 *
 * @param at when the caller's token expires; null if the login does not end by itself
 * @param sessionEnded whether the browser's session, if the caller has one, has ended before that
 */
public record LoginEnd(@Nullable Instant at, BooleanSupplier sessionEnded) {
    private static final LoginEnd NEVER = new LoginEnd(null);

    LoginEnd(@Nullable Instant at) {
        this(at, () -> false);
    }

    /** The end of the current caller's login. */
    public static LoginEnd current() {
        return SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                ? known.end()
                : NEVER;
    }

    /** Whether the login has ended. */
    public boolean isReached() {
        return sessionEnded.getAsBoolean() || (at != null && !Instant.now().isBefore(at));
    }

    /** The shorter of a duration and the time until the end; never negative. */
    public Duration left(Duration most) {
        Duration left = at == null ? most : Duration.between(Instant.now(), at);
        if (sessionEnded.getAsBoolean() || left.isNegative()) {
            return Duration.ZERO;
        }
        return left.compareTo(most) < 0 ? left : most;
    }
}
