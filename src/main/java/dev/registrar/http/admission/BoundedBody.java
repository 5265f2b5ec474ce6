package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.http.problem.ProblemException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body is read at its first use: up to its limit, and within the request's deadline. The body is kept,
 * because an idempotency key is bound to its bytes.
 */
public final class BoundedBody extends HttpServletRequestWrapper implements AutoCloseable {
    private static final String ATTRIBUTE = BoundedBody.class.getName();
    private static final Duration LONGEST_DISCARD = Duration.ofSeconds(1);
    private static final int MAX_DISCARDED_BYTES = 2 * 1024 * 1024;
    private static final int BUFFER_BYTES = 8 * 1024;

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final BodyLimits limits;
    private byte @Nullable [] body;
    private BodyLimits.@Nullable Place place;

    BoundedBody(HttpServletRequest request, HttpServletResponse response, BodyLimits limits) {
        super(request);
        this.request = request;
        this.response = response;
        this.limits = limits;
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The bytes of the request's body, which {@link EdgeInterceptor} has read before the operation. */
    public static byte[] body(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof BoundedBody bounded && bounded.body != null) {
            return bounded.body;
        }
        throw new IllegalStateException("The body of %s was not read".formatted(request.getRequestURI()));
    }

    /** Reads the body of a request that has passed {@link EdgeFilter}, unless it is read already. */
    static void read(HttpServletRequest request) throws IOException {
        if (request.getAttribute(ATTRIBUTE) instanceof BoundedBody bounded) {
            bounded.read();
        }
    }

    private byte[] read() throws IOException {
        if (body == null) {
            try {
                if (place == null) {
                    place = limits.enter(request);
                }
                body = read(request, place.maxBytes());
            } catch (RuntimeException refused) {
                closeAfterAnswer(request, response);
                throw refused;
            }
        }
        return body;
    }

    /* Checks the deadline after each read. Otherwise a client that sends byte by byte would hold a permit for ever. */
    static byte[] read(HttpServletRequest request, int limit) throws IOException {
        if (request.getContentLengthLong() > limit) {
            throw ProblemException.bodyTooLarge(limit);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = request.getInputStream();
        for (int read = next(in, buffer, body.size()); read >= 0; read = next(in, buffer, body.size())) {
            body.write(buffer, 0, read);
            if (body.size() > limit) {
                throw ProblemException.bodyTooLarge(limit);
            }
            if (Deadline.isOver()) {
                throw ProblemException.bodyTooSlow(body.size());
            }
        }
        return body.toByteArray();
    }

    /* Tomcat reports a read time-out and a lost connection with the same exception; only the cause differs. */
    private static int next(InputStream in, byte[] buffer, long arrived) throws IOException {
        try {
            return in.read(buffer);
        } catch (IOException failure) {
            if (failure.getCause() instanceof SocketTimeoutException) {
                throw ProblemException.bodyTooSlow(arrived);
            }
            throw failure;
        }
    }

    /* The body of a refused request is not read to its end, so its connection cannot be used again. */
    static void closeAfterAnswer(HttpServletRequest request, HttpServletResponse response) {
        if (hasBody(request)) {
            response.setHeader("Connection", "close");
        }
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /**
     * Sends the answer, then discards what is left of the body, for 1 s and up to about 2 MiB. If the server closed the
     * connection while bytes arrive, the connection would be reset and the client might lose the answer; if the server
     * read the body to its end, the client would decide how long that takes. If the client sends nothing, the last read
     * ends at the connection's time-out, {@code server.tomcat.connection-timeout}.
     */
    void discardRest() {
        if (body != null || !hasBody(request) || request.isAsyncStarted()) {
            return;
        }
        try {
            response.flushBuffer();
            InputStream rest = request.getInputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            long started = System.nanoTime();
            int discarded = 0;
            int read = rest.read(buffer);
            while (read >= 0
                    && discarded < MAX_DISCARDED_BYTES
                    && System.nanoTime() - started < LONGEST_DISCARD.toNanos()) {
                discarded += read;
                read = rest.read(buffer);
            }
        } catch (IOException disconnected) {
            // The client has closed the connection.
        }
    }

    /** Gives back the place of a large body. */
    @Override
    public void close() {
        if (place != null) {
            place.release().run();
        }
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        return new BodyStream(new ByteArrayInputStream(read()));
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    private static final class BodyStream extends ServletInputStream {
        private final ByteArrayInputStream bytes;

        private BodyStream(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return bytes.read(buffer, offset, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("The body has been read; non-blocking reads are not supported");
        }
    }
}
