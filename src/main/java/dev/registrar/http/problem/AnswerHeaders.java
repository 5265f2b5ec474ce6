package dev.registrar.http.problem;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** The headers that tell browsers and caches how to treat an answer. */
final class AnswerHeaders {
    /** For data: a browser loads and runs nothing of it. */
    private static final String POLICY_OF_DATA = "default-src 'none'; frame-ancestors 'none'";

    /**
     * For Swagger UI: its own scripts and requests to this service. It sets styles inline, and its icons are data URIs.
     */
    private static final String POLICY_OF_SWAGGER_UI =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
                    + " img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private AnswerHeaders() {}

    static void add(@Nullable String path, HttpServletResponse response) {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader(
                "Content-Security-Policy",
                path != null && path.contains("/swagger-ui") ? POLICY_OF_SWAGGER_UI : POLICY_OF_DATA);
        if (path != null && (path.contains("/api/") || path.contains("/dcb/") || path.contains("/go-crablet/"))) {
            // A browser may cache the answer but must revalidate it each time; shared caches must not store it.
            response.setHeader("Cache-Control", "private, no-cache");
        }
    }
}
