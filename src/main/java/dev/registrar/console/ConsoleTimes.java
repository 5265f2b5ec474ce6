package dev.registrar.console;

import dev.registrar.eventstore.EventStore;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Instants in pages; templates call it by its bean's name. */
@Component("consoleTimes")
public final class ConsoleTimes {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final InstantSource clock;

    /** @param store its time, by which commands are decided, is also that of the pages */
    ConsoleTimes(EventStore store) {
        this.clock = store.clock();
    }

    /** Whether an instant is still to come; false without one. */
    public boolean isAhead(@Nullable Instant instant) {
        return instant != null && clock.instant().isBefore(instant);
    }

    /** Whether an instant has come; false without one. */
    public boolean isPast(@Nullable Instant instant) {
        return instant != null && !clock.instant().isBefore(instant);
    }

    /** An instant to the second, in UTC. */
    public String text(Instant instant) {
        return FORMAT.format(instant);
    }
}
