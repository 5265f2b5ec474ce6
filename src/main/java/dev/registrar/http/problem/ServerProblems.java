package dev.registrar.http.problem;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import org.springframework.web.util.UriUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * Wraps every request, including those that Tomcat rejects before the filters. It adds the headers of all answers, and
 * writes problem details where Tomcat would write HTML.
 */
final class ServerProblems extends ErrorReportValve {
    /** An escape that was escaped again. */
    private static final Pattern ESCAPE = Pattern.compile("%25(\\p{XDigit}{2})");

    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    private final BooleanSupplier stopping;
    private final Duration retryAfter;

    /**
     * Creates the valve.
     *
     * @param stopping whether the service no longer accepts requests
     * @param retryAfter after which time a request that the stopping service did not read is sent again
     */
    ServerProblems(BooleanSupplier stopping, Duration retryAfter) {
        this.stopping = stopping;
        this.retryAfter = retryAfter;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        addHeaders(request, response);
        String path = request.getRequestURI();
        // As a URI reference, this path would name a host.
        if (path != null && path.startsWith("//") && !response.isError()) {
            response.sendError(HttpStatus.NOT_FOUND.value());
        }
        super.invoke(request, response);
    }

    private static void addHeaders(Request request, Response response) {
        AnswerHeaders.add(pathInApplication(request), request.getHeader("Authorization") != null, response);
    }

    /* Decoded, as the service's handlers are found; null if it was not read or is malformed. */
    private static @Nullable String pathInApplication(Request request) {
        String path = request.getDecodedRequestURI();
        Context context = request.getContext();
        return path == null || context == null || !path.startsWith(context.getPath())
                ? path
                : path.substring(context.getPath().length());
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        if (stopping.getAsBoolean() && !request.getHeaderNames().hasMoreElements()) {
            // The server stopped within a request line. It read no headers, and answers 400 because Host is missing.
            response.setStatus(HttpStatus.SERVICE_UNAVAILABLE.value());
            response.setHeader("Retry-After", Long.toString(retryAfter.toSeconds()));
        }
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        addHeaders(request, response);
        String problem = JSON.writeValueAsString(problem(status, request.getRequestURI()));
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding((String) null);
        try {
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(problem);
                response.finishResponse();
            }
        } catch (IOException | IllegalStateException unwritable) {
            // The client has disconnected, or the answer has begun.
        }
    }

    /**
     * The problem of a request that is rejected before it reaches a controller.
     *
     * @param path as the client sent it; null if the request line was not read
     */
    static ProblemDetail problem(int code, @Nullable String path) {
        HttpStatus known = HttpStatus.resolve(code);
        HttpStatus status = known == null ? HttpStatus.BAD_REQUEST : known;
        ProblemDetail problem = Problem.of(status, Problem.code(status), detail(status, path));
        if (path != null && path.startsWith("/")) {
            problem.setInstance(URI.create(escaped(path)));
        }
        return problem;
    }

    private static String detail(HttpStatus status, @Nullable String path) {
        return switch (status) {
            case BAD_REQUEST ->
                "The request is malformed. Possible causes: a malformed request line, header or Host; more than 8 KB or"
                        + " more than 100 headers; a character or an escape, such as %2F, that the target must not"
                        + " contain";
            case NOT_FOUND ->
                path == null ? "No resource at this path" : "No resource at %s".formatted(Problem.shown(escaped(path)));
            case METHOD_NOT_ALLOWED ->
                "The method is not allowed for this resource; the Allow header lists the allowed methods";
            case REQUEST_TIMEOUT -> "The body did not arrive in time; nothing was changed: send the request again";
            case EXPECTATION_FAILED -> "The only supported expectation is 100-continue";
            case NOT_IMPLEMENTED -> "The method or the Transfer-Encoding is not implemented";
            case HTTP_VERSION_NOT_SUPPORTED -> "The protocol must be HTTP/1.1 or HTTP/1.0";
            case REQUESTED_RANGE_NOT_SATISFIABLE -> "The range in the Range header is outside the resource";
            case SERVICE_UNAVAILABLE ->
                "The service is stopping and did not read the request; nothing was changed: send the request again";
            default -> "The server answers %s".formatted(status);
        };
    }

    /* Escapes each byte that a path must not contain, and each percent sign that does not begin an escape. */
    private static String escaped(String path) {
        String escaped = ESCAPE.matcher(UriUtils.encodePath(path, StandardCharsets.ISO_8859_1))
                .replaceAll("%$1");
        return path.startsWith("//") ? "/." + escaped : escaped;
    }
}
