package dev.registrar.http.dcb;

import dev.registrar.eventstore.Tag;
import dev.registrar.http.problem.InvalidValueException;
import java.util.ArrayList;
import java.util.List;

/**
 * The lock tags of an append's events, if a setting enables them: {@code lock:room:1} locks the resource
 * {@code room:1}, as the field {@code locks} does.
 */
final class LockTags {
    private static final String PREFIX = "lock:";

    private final boolean enabled;
    private final List<String> names = new ArrayList<>();

    /** No names yet. */
    LockTags(boolean enabled) {
        this.enabled = enabled;
    }

    /**
     * Removes the lock tags from an event's tags, and collects the names in them.
     *
     * @param pointer to the tags in the request
     * @return the tags that remain, which are stored
     * @throws InvalidValueException if a lock tag names no resource
     */
    List<Tag> takenOutOf(String pointer, List<Tag> tags) {
        if (!enabled) {
            return tags;
        }
        List<Tag> others = new ArrayList<>();
        for (int i = 0; i < tags.size(); i++) {
            String tag = tags.get(i).value();
            if (!tag.startsWith(PREFIX)) {
                others.add(tags.get(i));
            } else if (tag.length() == PREFIX.length()) {
                throw new InvalidValueException(pointer + "/" + i, "must name a resource after '%s'".formatted(PREFIX));
            } else {
                names.add(tag.substring(PREFIX.length()));
            }
        }
        return others;
    }

    /** The names of the resources so far. */
    List<String> names() {
        return names;
    }
}
