package dev.registrar.eventstore.postgres.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.registrar.eventstore.Actor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The actors of stored events. Few actors cause many events, so each text is parsed once and its actor shared. */
final class StoredActors {
    private static final int MOST_ACTORS = 1_000;
    private static final Cache<String, Optional<Actor>> PARSED = Caffeine.newBuilder()
            .maximumSize(MOST_ACTORS)
            .executor(Runnable::run)
            .build();

    private StoredActors() {}

    /** The actor of a stored text; null if there is no text, or one that no append of this library has written. */
    static @Nullable Actor of(@Nullable String text) {
        return text == null ? null : PARSED.get(text, Actor::parse).orElse(null);
    }
}
