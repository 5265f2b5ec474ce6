package dev.registrar.console.explorer;

import dev.registrar.console.explorer.EventLine.FollowedTag;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one event.
 *
 * @param content null if the visitor may not see it
 */
record EventDetail(
        long position,
        String type,
        String ofType,
        Instant recordedAt,
        @Nullable Content content) {

    /**
     * What is for auditors only.
     *
     * @param actor null if unknown
     * @param origin null if the metadata have another form than the decision loop's
     */
    record Content(
            UUID id,
            List<FollowedTag> tags,
            ReadableJson payload,
            ReadableJson metadata,
            @Nullable ShownActor actor,
            @Nullable ShownOrigin origin) {}

    /** The party that caused the append. */
    record ShownActor(
            String issuer,
            String subject,
            @Nullable String client,
            @Nullable String onBehalfOf) {
        private static ShownActor of(Actor actor) {
            return new ShownActor(
                    Visible.line(actor.issuer()),
                    Visible.line(actor.subject()),
                    shown(actor.client()),
                    shown(actor.onBehalfOf()));
        }
    }

    /**
     * Why the event was appended.
     *
     * @param correlationHref the address of everything with this correlation id; null if there is none
     * @param causeHref the address that leads to the cause; null if there is none
     */
    record ShownOrigin(
            @Nullable String commandType,
            @Nullable String commandId,
            @Nullable String correlationId,
            @Nullable String correlationHref,
            @Nullable String causationId,
            @Nullable String causeHref) {

        private static ShownOrigin of(SequencedEvent event, EventMetadata metadata) {
            return new ShownOrigin(
                    shown(metadata.commandType()),
                    shown(metadata.commandId()),
                    shown(metadata.correlationId()),
                    metadata.correlationId() == null ? null : CorrelationController.href(metadata.correlationId()),
                    shown(metadata.causationId()),
                    metadata.causationId() == null
                            ? null
                            : "%s/%s/cause".formatted(EventsController.PATH, event.position()));
        }
    }

    static EventDetail redacted(SequencedEvent event) {
        return of(event, null);
    }

    static EventDetail withContent(SequencedEvent event) {
        Actor actor = event.actor();
        return of(
                event,
                new Content(
                        event.event().id(),
                        event.event().tags().stream().map(FollowedTag::of).toList(),
                        ReadableJson.of(event.event().payload()),
                        ReadableJson.of(event.event().metadata()),
                        actor == null ? null : ShownActor.of(actor),
                        EventMetadata.parse(event.event().metadata())
                                .map(metadata -> ShownOrigin.of(event, metadata))
                                .orElse(null)));
    }

    private static EventDetail of(SequencedEvent event, @Nullable Content content) {
        return new EventDetail(
                event.position().value(),
                Visible.line(event.event().type()),
                new Address(EventsController.PATH)
                        .with("type0", FieldText.of(event.event().type()))
                        .toString(),
                event.recordedAt(),
                content);
    }

    private static @Nullable String shown(@Nullable String text) {
        return text == null ? null : Visible.beginning(text, 300);
    }
}
