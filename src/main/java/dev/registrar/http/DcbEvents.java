package dev.registrar.http;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Stored events as they are sent, one after another, however many there are. */
@Component
final class DcbEvents {
    private static final int BUFFER = 16 * 1024;

    private final ObjectWriter json;

    DcbEvents(JsonMapper json) {
        this.json = json.writerFor(StoredEvent.class);
    }

    /**
     * An event of the store.
     *
     * @param data as it was appended, byte for byte; and likewise the metadata
     */
    @Schema(name = "DcbEvent")
    record StoredEvent(
            String type, List<String> tags, String data, long position, UUID id, String metadata, Instant recordedAt) {

        static StoredEvent of(SequencedEvent stored) {
            return new StoredEvent(
                    stored.event().type(),
                    stored.event().tags().stream().map(Tag::value).toList(),
                    stored.event().payload(),
                    stored.position().value(),
                    stored.event().id(),
                    stored.event().metadata(),
                    stored.recordedAt());
        }
    }

    /** Sends a JSON array. */
    void writeArray(EventStream stream, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        write(stream, response, "[", ",", "", "]");
    }

    /** Sends a line for each event. */
    void writeLines(EventStream stream, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
        write(stream, response, "", "", "\n", "");
    }

    private void write(
            EventStream stream, HttpServletResponse response, String begin, String between, String behind, String end)
            throws IOException {
        OutputStream out = new BufferedOutputStream(response.getOutputStream(), BUFFER);
        try {
            write(begin, out);
            boolean first = true;
            while (stream.hasNext()) {
                write(first ? "" : between, out);
                out.write(json.writeValueAsBytes(StoredEvent.of(stream.next())));
                write(behind, out);
                first = false;
            }
            write(end, out);
        } catch (EventStoreException failure) {
            if (response.isCommitted()) {
                throw new BrokenAnswerException(failure);
            }
            response.resetBuffer();
            throw failure;
        }
        out.flush();
    }

    private static void write(String ascii, OutputStream out) throws IOException {
        for (int i = 0; i < ascii.length(); i++) {
            out.write(ascii.charAt(i));
        }
    }
}
