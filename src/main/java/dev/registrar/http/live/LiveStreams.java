package dev.registrar.http.live;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.http.admission.Client;
import dev.registrar.http.admission.ClientSlots;
import dev.registrar.http.problem.TooManyRequestsException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.async.StandardServletAsyncWebRequest;

/**
 * Answers requests with streams. Each stream counts as one of its client until it ends, and is written by a virtual
 * thread of its own: a client that reads nothing delays no other.
 */
@Component
public final class LiveStreams {
    private static final Logger LOG = LoggerFactory.getLogger(LiveStreams.class);
    private static final long NO_TIMEOUT = 0;

    private final ClientSlots streams;
    private final LiveStreamSettings settings;

    LiveStreams(LiveStreamSettings settings) {
        this.streams = new ClientSlots(settings.maxStreamsPerClient(), TooManyRequestsException::ofStreams);
        this.settings = settings;
    }

    /** How long a stream is silent before something without meaning is sent, so that the connection stays open. */
    public Duration heartbeat() {
        return settings.heartbeat();
    }

    /**
     * Answers with a stream, which lasts longer than the request's thread.
     *
     * @param opening creates the body, after the stream is counted; the body is closed when the stream ends
     * @throws TooManyRequestsException if the client has as many streams as it may have
     */
    public void answer(
            String contentType,
            Supplier<? extends LiveBody> opening,
            HttpServletRequest request,
            HttpServletResponse response) {
        ClientSlots.Slot counted = streams.take(Client.of(request));
        LiveBody body;
        try {
            body = opening.get();
        } catch (RuntimeException | Error failure) {
            counted.close();
            throw failure;
        }
        send(new CountedBody(body, counted), contentType, request, response);
    }

    private static void send(
            LiveBody body, String contentType, HttpServletRequest request, HttpServletResponse response) {
        try {
            response.setContentType(contentType);
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            // The answer to HEAD has only headers.
            if (HttpMethod.HEAD.matches(request.getMethod())) {
                body.close();
                return;
            }
            // Tells proxies not to buffer the answer: it never ends.
            response.setHeader("X-Accel-Buffering", "no");
            // Before the filters of the request return, because they set headers of an answer that has not begun.
            response.flushBuffer();
            begin(body, request, response);
        } catch (IOException disconnected) {
            LOG.debug("Client disconnected before its stream began", disconnected);
            body.close();
        } catch (RuntimeException | Error failure) {
            body.close();
            throw failure;
        }
    }

    /*
     * After a failed write, the server ends the request on another thread and reuses its objects. Spring's response
     * refuses further writes from then on, and delays the server until the failed one has returned.
     */
    private static void begin(LiveBody body, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        StandardServletAsyncWebRequest asynchronous = new StandardServletAsyncWebRequest(request, response);
        asynchronous.setTimeout(NO_TIMEOUT);
        asynchronous.startAsync();
        AsyncContext context = request.getAsyncContext();
        asynchronous.addErrorHandler(failure -> context.complete());
        OutputStream out = Objects.requireNonNull(asynchronous.getResponse(), "An HTTP request has a response")
                .getOutputStream();
        Thread.ofVirtual().name("live-answer").start(() -> {
            if (isWritten(body, out)) {
                context.complete();
            }
        });
    }

    /* Whether the stream has ended before its connection. */
    private static boolean isWritten(LiveBody body, OutputStream out) {
        try (body) {
            body.write(out);
        } catch (IOException disconnected) {
            LOG.debug("Client disconnected or stopped reading", disconnected);
            return false;
        } catch (EventStoreException failure) {
            LOG.debug("Stream aborted", failure);
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            LOG.error("Unexpected error while writing a stream", failure);
        }
        return true;
    }

    private record CountedBody(LiveBody body, ClientSlots.Slot counted) implements LiveBody {
        @Override
        public void write(OutputStream out) throws IOException, InterruptedException {
            body.write(out);
        }

        @Override
        public void close() {
            counted.close();
            body.close();
        }
    }
}
