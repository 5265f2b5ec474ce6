package dev.registrar.judges;

import dev.registrar.judges.History.Counting;
import dev.registrar.judges.History.HeadSeen;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An instance of the store, as one of its clients calls it. */
interface Instance {

    String name();

    /**
     * Appends a part, or several as a chain.
     *
     * @param key the idempotency key of a single part; null for none
     * @return the parts with their outcomes
     */
    List<Part> append(List<Part> parts, @Nullable String key);

    Reading read(List<Item> items, long after);

    Counting count(List<Item> items, long after);

    HeadSeen head();

    /** An instance did not answer a read. */
    final class NoAnswerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoAnswerException(String message) {
            super(message);
        }

        NoAnswerException(Throwable cause) {
            super(cause);
        }
    }
}
