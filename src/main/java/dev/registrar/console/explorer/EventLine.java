package dev.registrar.console.explorer;

import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One line of a list of events.
 *
 * @param type as it is shown
 * @param tags empty if the visitor may not see them
 * @param payload the beginning of the payload; empty if the visitor may not see it
 */
record EventLine(long position, Instant recordedAt, String type, List<FollowedTag> tags, String payload) {
    private static final int PAYLOAD = 160;
    private static final Pattern BREAK = Pattern.compile("(?<=[,:])");

    /**
     * A tag with a link to the events that have it.
     *
     * @param text as it is shown
     * @param href the address of the events
     */
    record FollowedTag(String text, String href) {
        static FollowedTag of(Tag tag) {
            String href = new Address(EventsController.PATH)
                    .with("tag0", FieldText.of(tag.value()))
                    .toString();
            return new FollowedTag(Visible.line(tag.value()), href);
        }
    }

    static EventLine withContent(SequencedEvent event) {
        return new EventLine(
                event.position().value(),
                event.recordedAt(),
                Visible.line(event.event().type()),
                event.event().tags().stream().map(FollowedTag::of).toList(),
                Visible.beginning(event.event().payload(), PAYLOAD));
    }

    static EventLine redacted(SequencedEvent event) {
        return new EventLine(
                event.position().value(),
                event.recordedAt(),
                Visible.line(event.event().type()),
                List.of(),
                "");
    }

    /** The payload in parts between which a line may break: after each comma and colon. */
    public List<String> payloadParts() {
        return List.of(BREAK.split(payload));
    }

    public String href() {
        return EventsController.PATH + "/" + position;
    }
}
