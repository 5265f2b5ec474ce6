package dev.registrar.http.problem;

import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The headers that control how browsers and caches treat an answer. */
public final class AnswerHeaders {
    /** For data: a browser loads and runs nothing from it. */
    private static final String POLICY_OF_DATA = "default-src 'none'; frame-ancestors 'none'";

    /**
     * For Swagger UI: its own scripts and requests to this service. It sets styles inline, and its icons are data URIs.
     */
    private static final String POLICY_OF_SWAGGER_UI =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
                    + " img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    /** For the web console: its own scripts, styles, images and forms, nothing inline. */
    private static final String POLICY_OF_CONSOLE =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String POLICY = "Content-Security-Policy";
    private static final Pattern DATA = Pattern.compile("/(api|dcb|go-crablet)(/.*)?", Pattern.DOTALL);
    private static final Pattern CONSOLE = Pattern.compile("/|/console(/.*)?", Pattern.DOTALL);
    private static final String SWAGGER_UI = "/swagger-ui";

    private AnswerHeaders() {}

    /**
     * Adds the headers of every answer.
     *
     * @param path decoded and without the context path; null if the request line was not read, or its path is malformed
     * @param namesCaller whether the request has the header Authorization, so that the answer may be for this caller
     *     only
     */
    static void add(@Nullable String path, boolean namesCaller, HttpServletResponse response) {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        // Otherwise a page of another origin prefetches the answer, and learns from that whether it was an error.
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        response.setHeader(POLICY, policy(path));
        if (namesCaller || path == null || isOfData(path)) {
            // A browser may cache the answer but must revalidate it each time; shared caches must not store it.
            response.setHeader("Cache-Control", "private, no-cache");
            response.setHeader("Vary", "Authorization");
        }
    }

    /** Lets a browser show an answer as a page of the web console, at a path outside the console. */
    public static void allowPage(HttpServletResponse response) {
        response.setHeader(POLICY, POLICY_OF_CONSOLE);
    }

    private static String policy(@Nullable String path) {
        if (path == null) {
            return POLICY_OF_DATA;
        }
        if (path.startsWith(SWAGGER_UI)) {
            return POLICY_OF_SWAGGER_UI;
        }
        return CONSOLE.matcher(path).matches() ? POLICY_OF_CONSOLE : POLICY_OF_DATA;
    }

    /** Whether a path, without the context path, is that of an API or below it. */
    public static boolean isOfData(@Nullable String path) {
        return path != null && DATA.matcher(path).matches();
    }
}
