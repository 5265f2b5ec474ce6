package dev.registrar.decision;

import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.TimeOrderedId;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a command. Its events carry it as metadata, beside the command's type and id.
 *
 * @param correlationId of everything that one outside request set off; null if unknown
 * @param causationId of the event or command that caused this one; null if there is none
 * @param actor the caller on whose behalf the command runs; null if unknown
 */
public record Origin(
        @Nullable String correlationId,
        @Nullable String causationId,
        @Nullable String actor) {
    public static final Origin UNKNOWN = new Origin(null, null, null);

    public static Origin correlatedBy(String correlationId) {
        return new Origin(correlationId, null, null);
    }

    /** The origin as a JSON object; unknown parts are left out. */
    public String metadata() {
        return new EventMetadata(correlationId, causationId, actor, null, null).json();
    }

    /** The metadata of the events of a command of this origin, which is carried out now under a new id. */
    String metadataOf(Decision<?, ?> command) {
        return new EventMetadata(
                        correlationId,
                        causationId,
                        actor,
                        command.commandType(),
                        TimeOrderedId.next().toString())
                .json();
    }
}
