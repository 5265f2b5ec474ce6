package dev.registrar.http.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.dcb.Basis;
import dev.registrar.http.dcb.DcbEvents;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** The formats in which events are written to listeners. */
enum LiveFormat {
    /** Server-sent events. */
    SERVER_SENT_EVENTS(MediaType.TEXT_EVENT_STREAM_VALUE) {
        @Override
        void event(SequencedEvent event, Head head, DcbEvents json, OutputStream out) throws IOException {
            String type = event.event().type().replace('\r', ' ').replace('\n', ' ');
            out.write(
                    "id: %s\nevent: %s\ndata: ".formatted(Basis.of(head), type).getBytes(UTF_8));
            json.write(event, out);
            out.write(END_OF_BLOCK);
        }

        @Override
        void heartbeat(OutputStream out) throws IOException {
            out.write(':');
            out.write(END_OF_BLOCK);
        }

        @Override
        void end(String reason, OutputStream out) throws IOException {
            out.write(": ended: %s\n\n".formatted(reason).getBytes(UTF_8));
        }
    },

    /** One line of JSON per event. */
    LINES(MediaType.APPLICATION_NDJSON_VALUE) {
        @Override
        void event(SequencedEvent event, Head head, DcbEvents json, OutputStream out) throws IOException {
            json.write(event, out);
            out.write('\n');
        }

        @Override
        void heartbeat(OutputStream out) throws IOException {
            out.write('\n');
        }

        @Override
        void end(String reason, OutputStream out) {
            // NDJSON has no comments, so the stream ends without a reason.
        }
    };

    private static final byte[] END_OF_BLOCK = {'\n', '\n'};

    private final String contentType;

    LiveFormat(String contentType) {
        this.contentType = contentType;
    }

    /** The accepted format; server-sent events if both are accepted. */
    static LiveFormat accepted(@Nullable String accept) {
        List<MediaType> types = MediaType.parseMediaTypes(accept);
        return types.isEmpty() || types.stream().anyMatch(type -> type.includes(MediaType.TEXT_EVENT_STREAM))
                ? SERVER_SENT_EVENTS
                : LINES;
    }

    String contentType() {
        return contentType;
    }

    abstract void event(SequencedEvent event, Head head, DcbEvents json, OutputStream out) throws IOException;

    abstract void heartbeat(OutputStream out) throws IOException;

    /** Writes the reason why the stream ends. */
    abstract void end(String reason, OutputStream out) throws IOException;
}
