package dev.registrar.http;

import dev.registrar.imports.ImportSettings;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Reads the body of every request, up to its limit, and keeps it: an idempotency key is bound to its bytes. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class BodyLimitFilter extends OncePerRequestFilter {
    private static final String ATTRIBUTE = BodyLimitFilter.class.getName();

    private final int usualLimit;
    private final int importLimit;
    private final HandlerExceptionResolver problems;

    BodyLimitFilter(
            HttpSettings settings,
            ImportSettings imports,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.usualLimit = Math.toIntExact(settings.maxBodySize().toBytes());
        this.importLimit = Math.toIntExact(imports.maxFileSize().toBytes());
        this.problems = problems;
    }

    /** The bytes of the request's body. */
    static byte[] body(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof byte[] body) {
            return body;
        }
        throw new IllegalStateException("The body of %s was not kept".formatted(request.getRequestURI()));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        int limit = request.getRequestURI().equals(ImportController.PATH) ? importLimit : usualLimit;
        byte[] body = request.getContentLengthLong() > limit
                ? null
                : request.getInputStream().readNBytes(limit + 1);
        if (body == null || body.length > limit) {
            response.setHeader("Connection", "close");
            problems.resolveException(request, response, null, new BodyTooLargeException(limit));
            return;
        }
        request.setAttribute(ATTRIBUTE, body);
        chain.doFilter(new KeptBody(request, body), response);
    }

    private static final class KeptBody extends HttpServletRequestWrapper {
        private final byte[] body;

        private KeptBody(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            return new BodyStream(new ByteArrayInputStream(body));
        }

        @Override
        public BufferedReader getReader() {
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
            throw new UnsupportedOperationException("The body is read already");
        }
    }
}
