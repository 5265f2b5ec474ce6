package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.http.problem.ProblemException;
import dev.registrar.imports.ImportSettings;
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
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

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
    private final Limits limits;
    private byte @Nullable [] body;
    private Limits.@Nullable Place place;

    BoundedBody(HttpServletRequest request, HttpServletResponse response, Limits limits) {
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

    /**
     * How large a body may be, and how many large ones are in memory at a time: a thousand of them would fill the heap.
     * As many files of imports as there may be imports; further ones are rejected. At most {@value #LARGE_APPENDS}
     * large appends; further ones wait. An append is large if its body exceeds the usual limit or has no known length.
     */
    @Component
    static final class Limits {
        private static final Set<String> APPENDS = Set.of(Paths.DCB + "/append", Paths.GO_CRABLET + "/append");
        private static final int LARGE_APPENDS = 16;
        private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

        private final int usual;
        private final int append;
        private final int file;
        private final int mostFiles;
        private final Semaphore files;
        private final Semaphore largeAppends = new Semaphore(LARGE_APPENDS, true);
        private final RejectedRequests rejectedRequests;

        Limits(HttpSettings settings, ImportSettings imports, RejectedRequests rejectedRequests) {
            this.usual = Math.toIntExact(settings.maxBodySize().toBytes());
            this.append = Math.toIntExact(settings.maxAppendSize().toBytes());
            this.file = Math.toIntExact(imports.maxFileSize().toBytes());
            this.mostFiles = 1 + imports.maxWaiting();
            this.files = new Semaphore(mostFiles);
            this.rejectedRequests = rejectedRequests;
        }

        /**
         * The place of a request's body.
         *
         * @param maxBytes maximum size of the body
         * @param release gives the place back
         */
        record Place(int maxBytes, Runnable release) {}

        /**
         * Takes the place that the request's body needs.
         *
         * @throws OverloadedException if there is no place
         */
        Place enter(HttpServletRequest request) {
            // As the server has normalized it.
            String path = request.getServletPath();
            boolean post = request.getMethod().equals("POST");
            if (post && APPENDS.contains(path)) {
                long length = request.getContentLengthLong();
                return new Place(append, length >= 0 && length <= usual ? Limits::releaseNothing : enterLargeAppend());
            }
            return post && path.equals(Paths.IMPORTS)
                    ? new Place(file, enterFile())
                    : new Place(usual, Limits::releaseNothing);
        }

        private Runnable enterLargeAppend() {
            if (!acquireLargeAppend()) {
                rejectedRequests.count(Reason.OVERLOADED);
                throw new OverloadedException("Too many large appends at a time (limit %s)".formatted(LARGE_APPENDS));
            }
            return largeAppends::release;
        }

        private boolean acquireLargeAppend() {
            try {
                return largeAppends.tryAcquire(Deadline.left(LONGEST_WAIT).toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** Takes the place of a file; see {@link #enter}. */
        Runnable enterFile() {
            if (!files.tryAcquire()) {
                rejectedRequests.count(Reason.IMPORTS);
                throw new OverloadedException("Too many import files at a time (limit %s)".formatted(mostFiles));
            }
            return files::release;
        }

        /* A small body takes no place. */
        private static void releaseNothing() {}
    }
}
