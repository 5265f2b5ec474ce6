package dev.registrar.decision;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.TimeOrderedId;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a command. Its events carry the ids as metadata, beside the command's type and id. The store keeps the
 * actor beside the metadata.
 *
 * @param correlationId the id shared by everything that one external request has caused; null if unknown
 * @param causationId the id of the event or command that caused this command; null if there is none
 * @param actor the party that gives the command; null if unknown
 */
public record Origin(
        @Nullable String correlationId,
        @Nullable String causationId,
        @Nullable Actor actor) {
    public static final Origin UNKNOWN = new Origin(null, null, null);

    public static Origin correlatedBy(String correlationId) {
        return new Origin(correlationId, null, null);
    }

    /** The same origin with an actor. */
    public Origin by(@Nullable Actor party) {
        return new Origin(correlationId, causationId, party);
    }

    /** The ids as a JSON object, without the unknown ones. */
    public String metadata() {
        return new EventMetadata(correlationId, causationId, null, null).json();
    }

    /** The metadata of the events of a command of this origin, with a new command id. */
    String metadataOf(Decision<?, ?> command) {
        return new EventMetadata(
                        correlationId,
                        causationId,
                        command.commandType(),
                        TimeOrderedId.next().toString())
                .json();
    }
}
