package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of a group.
 *
 * @param continues whether it continues the entry before it in a chain
 * @param verdictOnly whether it is sent without its events, for its verdict only
 * @param checked the result of the last check of its conditions; null if there was none
 */
public record AppendEntry(
        Append request,
        boolean continues,
        boolean verdictOnly,
        @Nullable CheckedConditions checked) {
    public static AppendEntry of(Append request) {
        return of(request, List.of());
    }

    public static AppendEntry of(Append request, List<CheckedConditions> checked) {
        return new AppendEntry(request, false, false, checked.isEmpty() ? null : checked.getFirst());
    }

    int events() {
        return verdictOnly ? 0 : request.events().size();
    }

    /** The text that the store keeps of the actor. */
    @Nullable String actor() {
        return request.actor() == null ? null : request.actor().json();
    }
}
