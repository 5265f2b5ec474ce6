package dev.registrar.console.operations;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Questions to the database that a page can do without: the page then says that the database cannot be reached. */
final class Reachable {
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private Reachable() {}

    /** The answer; empty if the database cannot be reached, or does not answer in time. */
    static <T> Optional<T> ask(Supplier<T> question) {
        try {
            return Optional.of(Deadline.within(LONGEST, question::get));
        } catch (EventStoreException unavailable) {
            if (unavailable.category().filter(FailureCategory::isMistake).isPresent()) {
                throw unavailable;
            }
            return Optional.empty();
        }
    }
}
