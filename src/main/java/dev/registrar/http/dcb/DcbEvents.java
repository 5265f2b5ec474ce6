package dev.registrar.http.dcb;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.http.admission.Client;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.TooManyRequestsException;
import dev.registrar.security.LoginEnd;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes stored events to an answer as a stream, with bounded memory for any number of events. */
@Component
public final class DcbEvents {
    private static final Logger LOG = LoggerFactory.getLogger(DcbEvents.class);

    private final ObjectWriter json;
    private final LongReads longReads;

    DcbEvents(JsonMapper json, LongReads longReads) {
        this.longReads = longReads;
        this.json = json.writerFor(StoredEvent.class)
                .withRootValueSeparator("\n")
                .without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
                .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
                // A flush would send a short answer in two pieces, the second of which holds only the end.
                .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM);
    }

    /**
     * An event of the store.
     *
     * @param data as it was appended, byte for byte
     * @param metadata as it was appended, byte for byte
     * @param actor who caused it, as the service knew it; absent if unknown
     * @param originalTime when another store recorded it first, if it was imported behind other events; absent
     *     otherwise
     */
    @Schema(name = "DcbEvent")
    public record StoredEvent(
            String type,
            List<String> tags,
            String data,
            long position,
            UUID id,
            String metadata,
            Instant recordedAt,
            @Nullable Actor actor,
            @Nullable Instant originalTime) {

        public static StoredEvent of(SequencedEvent stored) {
            // A loop is faster than a stream here: it runs for each event of each answer, and tags are few.
            List<String> tags = new ArrayList<>(stored.event().tags().size());
            for (Tag tag : stored.event().tags()) {
                tags.add(tag.value());
            }
            return new StoredEvent(
                    stored.event().type(),
                    tags,
                    stored.event().payload(),
                    stored.position().value(),
                    stored.event().id(),
                    stored.event().metadata(),
                    stored.recordedAt(),
                    stored.actor(),
                    stored.originalTime());
        }
    }

    /** Writes an event as JSON on one line. */
    public void write(SequencedEvent event, OutputStream out) throws IOException {
        try {
            json.writeValue(out, StoredEvent.of(event));
        } catch (JacksonException failure) {
            throw disconnected(failure);
        }
    }

    /* Jackson wraps a failed write in its exception for input and output, or in the one for data. */
    private static IOException disconnected(JacksonException failure) {
        if (failure.getCause() instanceof IOException cause) {
            return cause;
        }
        throw failure;
    }

    /** Writes a JSON array. */
    void writeArray(EventStream stream, HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        write(stream, json::writeValuesAsArray, request, response);
    }

    /** Writes one line of JSON per event. */
    void writeLines(EventStream stream, HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
        if (write(stream, json::writeValues, request, response)) {
            response.getOutputStream().write('\n');
        }
    }

    /* Returns whether there was an event. After a failure the array is not closed, because it would look complete. */
    private boolean write(
            EventStream stream,
            Function<OutputStream, SequenceWriter> format,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        boolean any = false;
        LoginEnd login = LoginEnd.current();
        try (LongReads.Answer answer = longReads.begin(Client.of(request), response.getOutputStream())) {
            SequenceWriter events = format.apply(answer);
            while (stream.hasNext()) {
                // A short answer is complete by then, and is sent at once.
                if (response.isCommitted() && login.isReached()) {
                    throw new BrokenAnswerException(new IllegalStateException("The login has expired"));
                }
                events.write(StoredEvent.of(stream.next()));
                any = true;
            }
            events.close();
        } catch (EventStoreException | TooManyRequestsException failure) {
            throw unsent(failure, response);
        } catch (JacksonException failure) {
            Throwable cause = ofAnswer(failure);
            if (cause instanceof TooManyRequestsException refused) {
                throw unsent(refused, response);
            }
            if (cause instanceof BrokenAnswerException broken) {
                throw broken;
            }
            if (cause instanceof SocketTimeoutException) {
                LOG.info(
                        "Client took too little of its answer within the connection's time-out; its connection is closed");
            }
            throw disconnected(failure);
        }
        return any;
    }

    /* Jackson wraps what the answer has thrown, once or several times. */
    private static @Nullable Throwable ofAnswer(Throwable failure) {
        Throwable cause = failure.getCause();
        while (cause instanceof JacksonException || (cause instanceof IOException && cause.getCause() != null)) {
            cause = cause.getCause();
        }
        return cause;
    }

    /* A failure before the first byte is sent is answered; after it, the answer breaks off. */
    private static RuntimeException unsent(RuntimeException failure, HttpServletResponse response) {
        if (response.isCommitted()) {
            return new BrokenAnswerException(failure);
        }
        response.resetBuffer();
        return failure;
    }
}
