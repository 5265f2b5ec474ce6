package dev.registrar.http.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.dcb.Basis;
import dev.registrar.http.dcb.DcbEvents;
import dev.registrar.subscription.FeedSignal;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** How events are written to those who listen. */
enum LiveFormat {
    /** Server-sent events. */
    SERVER_SENT_EVENTS(MediaType.TEXT_EVENT_STREAM_VALUE) {
        @Override
        void event(SequencedEvent event, Head place, DcbEvents json, OutputStream out) throws IOException {
            String type = event.event().type().replace('\r', ' ').replace('\n', ' ');
            out.write(
                    "id: %s\nevent: %s\ndata: ".formatted(Basis.of(place), type).getBytes(UTF_8));
            json.write(event, out);
            out.write(END_OF_BLOCK);
        }

        @Override
        void signOfLife(OutputStream out) throws IOException {
            out.write(':');
            out.write(END_OF_BLOCK);
        }

        @Override
        void end(FeedSignal.Reason reason, OutputStream out) throws IOException {
            String words = KebabCase.of(reason).replace('-', ' ');
            out.write(": ended: %s\n\n".formatted(words).getBytes(UTF_8));
        }
    },

    /** A line of JSON for each event. */
    LINES(MediaType.APPLICATION_NDJSON_VALUE) {
        @Override
        void event(SequencedEvent event, Head place, DcbEvents json, OutputStream out) throws IOException {
            json.write(event, out);
            out.write('\n');
        }

        @Override
        void signOfLife(OutputStream out) throws IOException {
            out.write('\n');
        }

        @Override
        void end(FeedSignal.Reason reason, OutputStream out) {
            // There is no place for a word that is no event.
        }
    };

    private static final byte[] END_OF_BLOCK = {'\n', '\n'};

    private final String contentType;

    LiveFormat(String contentType) {
        this.contentType = contentType;
    }

    /** The one that is accepted, server-sent events if both are. */
    static LiveFormat accepted(@Nullable String accept) {
        List<MediaType> types = MediaType.parseMediaTypes(accept);
        return types.isEmpty() || types.stream().anyMatch(type -> type.includes(MediaType.TEXT_EVENT_STREAM))
                ? SERVER_SENT_EVENTS
                : LINES;
    }

    String contentType() {
        return contentType;
    }

    abstract void event(SequencedEvent event, Head place, DcbEvents json, OutputStream out) throws IOException;

    abstract void signOfLife(OutputStream out) throws IOException;

    /** Says why nothing more will come. */
    abstract void end(FeedSignal.Reason reason, OutputStream out) throws IOException;
}
