package dev.registrar.console.explorer;

import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One line of a list of events, however large the event is.
 *
 * @param type as it is shown
 * @param tags empty if the visitor may not see them
 * @param payload the beginning of the payload, in parts between which a line may break; empty if the visitor may not
 *     see it
 */
record EventLine(long position, Instant recordedAt, String type, List<String> tags, List<String> payload) {
    private static final int PAYLOAD = 160;
    private static final Pattern BREAK = Pattern.compile("(?<=[,:])");

    static EventLine withContent(SequencedEvent event) {
        return of(
                event,
                event.event().tags().stream().map(Tag::value).toList(),
                List.of(BREAK.split(Visible.beginning(event.event().payload(), PAYLOAD))));
    }

    static EventLine redacted(SequencedEvent event) {
        return of(event, List.of(), List.of());
    }

    private static EventLine of(SequencedEvent event, List<String> tags, List<String> payload) {
        return new EventLine(
                event.position().value(),
                event.recordedAt(),
                Visible.line(event.event().type()),
                tags,
                payload);
    }
}
