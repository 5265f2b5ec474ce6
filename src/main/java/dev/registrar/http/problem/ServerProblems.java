package dev.registrar.http.problem;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.databind.json.JsonMapper;

/**
 * Wraps every request, including those that Tomcat rejects before the filters. It adds the headers of all answers, and
 * writes problem details where Tomcat would write HTML.
 */
final class ServerProblems extends ErrorReportValve {
    /** The characters of a request target that Tomcat accepts and this valve rejects. */
    static final String RELAXED = "\"<>[\\]^`{|}";

    private static final String UNESCAPED = "-._~!$&'()*+,;=:@/%";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String path = path(request);
        AnswerHeaders.add(pathInApplication(request), hasToken(request), response);
        if (!response.isError()) {
            if (hasRelaxed(path) || hasRelaxed(request.getQueryString())) {
                response.sendError(HttpStatus.BAD_REQUEST.value());
            } else if (path != null && path.startsWith("//")) {
                // As a URI reference, this path would name a host.
                response.sendError(HttpStatus.NOT_FOUND.value());
            }
        }
        super.invoke(request, response);
    }

    /* As the client sent it; null if the request line was not read. */
    private static @Nullable String path(Request request) {
        return request.getCoyoteRequest().requestURI().toString();
    }

    /* Decoded, as the service's handlers are found; null if it was not read or is malformed. */
    private static @Nullable String pathInApplication(Request request) {
        String path = request.getCoyoteRequest().decodedURI().toString();
        Context context = request.getContext();
        return path == null || context == null || !path.startsWith(context.getPath())
                ? path
                : path.substring(context.getPath().length());
    }

    private static boolean hasToken(Request request) {
        return request.getCoyoteRequest().getHeader("Authorization") != null;
    }

    private static boolean hasRelaxed(@Nullable String text) {
        return text != null && text.chars().anyMatch(character -> RELAXED.indexOf(character) >= 0);
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        AtomicBoolean writable = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, writable);
        if (!writable.get()) {
            return;
        }
        AnswerHeaders.add(pathInApplication(request), hasToken(request), response);
        String problem = JSON.writeValueAsString(problem(status, path(request)));
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
            case NOT_FOUND -> path == null ? "No resource at this path" : "No resource at %s".formatted(escaped(path));
            case METHOD_NOT_ALLOWED ->
                "The method is not allowed for this resource; the Allow header lists the allowed methods";
            case EXPECTATION_FAILED -> "The only supported expectation is 100-continue";
            case NOT_IMPLEMENTED -> "The method or the Transfer-Encoding is not implemented";
            case HTTP_VERSION_NOT_SUPPORTED -> "The protocol must be HTTP/1.1 or HTTP/1.0";
            case REQUESTED_RANGE_NOT_SATISFIABLE -> "The range in the Range header is outside the resource";
            case SERVICE_UNAVAILABLE ->
                "The service is stopping and did not read the request; nothing was changed: send the request again";
            default -> "The server answers %s".formatted(status);
        };
    }

    /* Escapes each byte that is not allowed in a path, and each percent sign that does not begin an escape. */
    private static String escaped(String path) {
        StringBuilder escaped = new StringBuilder(path.startsWith("//") ? "/." : "");
        for (int i = 0; i < path.length(); i++) {
            char character = path.charAt(i);
            boolean allowed = character == '%'
                    ? isEscape(path, i)
                    : character < 0x80 && (Character.isLetterOrDigit(character) || UNESCAPED.indexOf(character) >= 0);
            if (allowed) {
                escaped.append(character);
            } else {
                for (byte each : String.valueOf(character).getBytes(StandardCharsets.ISO_8859_1)) {
                    escaped.append('%').append(HEX.toHexDigits(each));
                }
            }
        }
        return escaped.toString();
    }

    private static boolean isEscape(String path, int at) {
        return at + 2 < path.length()
                && HexFormat.isHexDigit(path.charAt(at + 1))
                && HexFormat.isHexDigit(path.charAt(at + 2));
    }
}
