package dev.registrar.http.live;

import dev.registrar.http.admission.Client;
import dev.registrar.http.problem.TooManyRequestsException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/** Answers requests with streams. Each stream counts as one of its client until it ends. */
@Component
public final class LiveStreams {
    private final OpenAnswers open;
    private final ClientStreams streams;
    private final LiveStreamSettings settings;

    LiveStreams(OpenAnswers open, ClientStreams streams, LiveStreamSettings settings) {
        this.open = open;
        this.streams = streams;
        this.settings = settings;
    }

    /** How long a stream is silent before something without meaning is sent, so that the connection stays open. */
    public Duration heartbeat() {
        return settings.heartbeat();
    }

    /**
     * Answers with a stream, which begins when the request's thread has returned.
     *
     * @param opening creates the body, after the stream is counted; the body is closed when the stream ends
     * @throws TooManyRequestsException if the client has as many streams as it may have
     * @throws ResponseStatusException if the connection also carries other requests
     */
    public void answer(
            String contentType,
            Supplier<? extends LiveBody> opening,
            HttpServletRequest request,
            HttpServletResponse response) {
        checkVersion(request);
        ClientStreams.Counted counted = streams.begin(Client.of(request));
        LiveBody body;
        try {
            body = opening.get();
        } catch (RuntimeException | Error failure) {
            counted.close();
            throw failure;
        }
        send(new CountedBody(body, counted), contentType, request, response);
    }

    private static void checkVersion(HttpServletRequest request) {
        if (!request.getProtocol().startsWith("HTTP/1.")) {
            throw new ResponseStatusException(
                    HttpStatus.HTTP_VERSION_NOT_SUPPORTED, "A live stream needs its own connection: use HTTP/1.1");
        }
    }

    private void send(LiveBody body, String contentType, HttpServletRequest request, HttpServletResponse response) {
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
            LiveConnection.carry(body, open, settings.maxStall(), request, response);
        } catch (RuntimeException | Error failure) {
            body.close();
            throw failure;
        }
    }

    private record CountedBody(LiveBody body, ClientStreams.Counted counted) implements LiveBody {
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
