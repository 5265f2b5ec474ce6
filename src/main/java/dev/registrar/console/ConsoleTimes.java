package dev.registrar.console;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.springframework.stereotype.Component;

/** The text of instants in pages; templates call it by its bean's name. */
@Component("consoleTimes")
public final class ConsoleTimes {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    ConsoleTimes() {}

    /** An instant to the second, in UTC. */
    public String text(Instant instant) {
        return FORMAT.format(instant);
    }
}
