package dev.registrar.decision;

import java.util.function.Function;

/**
 * The form in which the states of a fact are stored.
 *
 * @param key the name of the fact in the store, with all ids of the fact: 1 to {@value #MAX_KEY_LENGTH} characters.
 *     Facts that are not equal must have different keys
 * @param version a stored state of another version is ignored. Raise it when the fact folds events in another way, the
 *     texts mean something else, or the codec reads events that it has ignored. A changed query needs no new version
 * @param every how many events are folded between two stored states, 1 or more. If a hundredth of the events is more,
 *     that is the number, so that the store does not write a large state too often
 * @param write the text of a state; called in the background
 * @param read the state of a text; throws a {@link RuntimeException} if the text is not a state
 */
public record StoredForm<S>(String key, int version, int every, Function<S, String> write, Function<String, S> read) {
    public static final int MAX_KEY_LENGTH = 500;

    public StoredForm {
        if (key.isEmpty() || key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "The key of a stored state has 1 to %s characters but was '%s'".formatted(MAX_KEY_LENGTH, key));
        }
        if (every < 1) {
            throw new IllegalArgumentException(
                    "The number of events between two stored states must be 1 or more but is %s".formatted(every));
        }
    }
}
