package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.problem.BodyTooLargeException;
import dev.registrar.http.problem.BodyTooSlowException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Reads the body of every request, up to its limit and within its deadline. The body is kept, because an idempotency
 * key is bound to its bytes. The filter reads as many import files at a time as there may be imports; further files are
 * rejected. It reads at most {@value #LARGE_APPENDS_AT_A_TIME} large appends at a time; further ones wait. An append is
 * large if its body exceeds the usual limit or has no known length.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 5)
public final class BodyLimitFilter extends OncePerRequestFilter {
    private static final String ATTRIBUTE = BodyLimitFilter.class.getName();
    private static final PathPattern IMPORT = PathPatternParser.defaultInstance.parse(Paths.IMPORTS);
    private static final PathPattern APPEND = PathPatternParser.defaultInstance.parse(Paths.DCB + "/append");
    private static final PathPattern GO_CRABLET_APPEND =
            PathPatternParser.defaultInstance.parse(Paths.GO_CRABLET + "/append");
    private static final int BUFFER_BYTES = 8 * 1024;
    private static final int LARGE_APPENDS_AT_A_TIME = 16;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final int usualLimit;
    private final int appendLimit;
    private final ImportFiles importFiles;
    private final Semaphore largeAppends = new Semaphore(LARGE_APPENDS_AT_A_TIME, true);
    private final RejectedRequests rejectedRequests;
    private final HandlerExceptionResolver problems;

    BodyLimitFilter(
            HttpSettings settings,
            ImportFiles importFiles,
            RejectedRequests rejectedRequests,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.usualLimit = Math.toIntExact(settings.maxBodySize().toBytes());
        this.appendLimit = Math.toIntExact(settings.maxAppendSize().toBytes());
        this.importFiles = importFiles;
        this.rejectedRequests = rejectedRequests;
        this.problems = problems;
    }

    /** The bytes of the request's body. */
    public static byte[] body(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof byte[] body) {
            return body;
        }
        throw new IllegalStateException("The body of %s was not read".formatted(request.getRequestURI()));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (is(APPEND, request) || is(GO_CRABLET_APPEND, request)) {
            keepAppend(request, response, chain);
        } else if (!is(IMPORT, request)) {
            keepBody(request, response, chain, usualLimit);
        } else if (importFiles.enter()) {
            try {
                keepBody(request, response, chain, importFiles.maxBytes());
            } finally {
                importFiles.leave();
            }
        } else {
            reject(request, response, importFiles.tooMany());
        }
    }

    private static boolean is(PathPattern pattern, HttpServletRequest request) {
        return request.getMethod().equals("POST")
                && pattern.matches(ServletRequestPathUtils.parse(request).pathWithinApplication());
    }

    /* Bounds the number of large bodies in memory: a thousand of them would fill the heap. */
    private void keepAppend(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long length = request.getContentLengthLong();
        if (length >= 0 && length <= usualLimit) {
            keepBody(request, response, chain, appendLimit);
        } else if (acquireLargeAppend()) {
            try {
                keepBody(request, response, chain, appendLimit);
            } finally {
                largeAppends.release();
            }
        } else {
            rejectedRequests.count(RejectedRequests.Reason.OVERLOADED);
            reject(
                    request,
                    response,
                    new OverloadedException(
                            "Too many large appends at a time (limit %d)".formatted(LARGE_APPENDS_AT_A_TIME)));
        }
    }

    private boolean acquireLargeAppend() {
        try {
            return largeAppends.tryAcquire(Deadline.left(LONGEST_WAIT).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void keepBody(HttpServletRequest request, HttpServletResponse response, FilterChain chain, int limit)
            throws ServletException, IOException {
        byte[] body;
        try {
            body = read(request, limit);
        } catch (BodyTooLargeException | BodyTooSlowException refused) {
            reject(request, response, refused);
            return;
        }
        request.setAttribute(ATTRIBUTE, body);
        chain.doFilter(new KeptBody(request, body), response);
    }

    /* Checks the deadline after each read. Otherwise a client that sends byte by byte would hold a permit for ever. */
    static byte[] read(HttpServletRequest request, int limit) throws IOException {
        if (request.getContentLengthLong() > limit) {
            throw new BodyTooLargeException(request.getContentLengthLong(), limit);
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = request.getInputStream();
        for (int read = next(in, buffer, body.size()); read >= 0; read = next(in, buffer, body.size())) {
            body.write(buffer, 0, read);
            if (body.size() > limit) {
                throw new BodyTooLargeException(limit);
            }
            if (Deadline.isOver()) {
                throw new BodyTooSlowException(body.size());
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
                throw new BodyTooSlowException(arrived);
            }
            throw failure;
        }
    }

    /* The rest of the body is not read, so the connection cannot be used again. */
    private void reject(HttpServletRequest request, HttpServletResponse response, RuntimeException reason) {
        response.setHeader("Connection", "close");
        problems.resolveException(request, response, null, reason);
        UnreadBody.skip(request, response);
    }

    /** A request whose body can be read again. */
    static class KeptBody extends HttpServletRequestWrapper {
        private final byte[] body;

        KeptBody(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public final ServletInputStream getInputStream() {
            return new BodyStream(new ByteArrayInputStream(body));
        }

        @Override
        public final BufferedReader getReader() {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
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
