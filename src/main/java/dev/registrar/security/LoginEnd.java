package dev.registrar.security;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The time at which the caller's login ends. An answer that is written for longer than that ends, too.
 *
 * @param at when the caller's token expires; null if the login does not end by itself
 */
public record LoginEnd(@Nullable Instant at) {
    /** The end of the current caller's login. */
    public static LoginEnd current() {
        return new LoginEnd(
                SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                        ? known.expires()
                        : null);
    }

    /** Whether the login has ended. */
    public boolean isReached() {
        return at != null && !Instant.now().isBefore(at);
    }

    /** The shorter of a duration and the time until the end; never negative. */
    public Duration left(Duration most) {
        if (at == null) {
            return most;
        }
        Duration left = Duration.between(Instant.now(), at);
        return left.isNegative() ? Duration.ZERO : left.compareTo(most) < 0 ? left : most;
    }
}
