package dev.registrar.http.problem;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * Stands around all requests, also those that Tomcat refuses before any filter sees them: it adds the headers that all
 * answers have, and writes problem details where Tomcat would write a page of HTML.
 */
final class ServerProblems extends ErrorReportValve {
    /** Characters of a request target that Tomcat is to let through to here, where they are refused. */
    static final String RELAXED = "\"<>[\\]^`{|}";

    private static final String UNESCAPED = "-._~!$&'()*+,;=:@/%";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String path = path(request);
        AnswerHeaders.add(path, response);
        if (!response.isError()) {
            if (hasRelaxed(path) || hasRelaxed(request.getQueryString())) {
                response.sendError(HttpStatus.BAD_REQUEST.value());
            } else if (path != null && path.startsWith("//")) {
                // As a URI reference it would name a host.
                response.sendError(HttpStatus.NOT_FOUND.value());
            }
        }
        super.invoke(request, response);
    }

    private static @Nullable String path(Request request) {
        return request.getCoyoteRequest().requestURI().toString();
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
        AnswerHeaders.add(path(request), response);
        String problem = JSON.writeValueAsString(problem(status, path(request)));
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding((String) null);
        try {
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(problem);
                response.finishResponse();
            }
        } catch (IOException | IllegalStateException gone) {
            // The client has gone, or the answer has begun.
        }
    }

    /**
     * The problem with a request that is refused before it reaches a controller.
     *
     * @param path as it was sent; null if it could not be read
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
                "The request cannot be read: the request line, a header or Host is malformed, all headers together"
                        + " have more than 8 KB or there are more than 100, or the target has a character or an escape,"
                        + " such as %2F, that is not allowed there";
            case NOT_FOUND ->
                path == null ? "There is nothing here" : "There is nothing at %s".formatted(escaped(path));
            case METHOD_NOT_ALLOWED -> "The method is not allowed here; the header Allow names those that are";
            case EXPECTATION_FAILED -> "The only expectation that can be met is 100-continue";
            case NOT_IMPLEMENTED -> "The method or the Transfer-Encoding is not implemented";
            case HTTP_VERSION_NOT_SUPPORTED -> "The protocol must be HTTP/1.1 or HTTP/1.0";
            case REQUESTED_RANGE_NOT_SATISFIABLE -> "The header Range names no part of what is here";
            case SERVICE_UNAVAILABLE ->
                "The service is stopping and did not read the request; nothing was changed: send the request again";
            default -> "The server answers %s".formatted(status);
        };
    }

    /* Each byte that may not stand in a path is escaped, and a percent sign that escapes nothing. */
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
