package dev.registrar.http.problem;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Headers that tell browsers and caches what they may do with an answer. */
final class AnswerHeaders {
    /** For data: nothing in it is to be loaded or run. */
    private static final String OF_DATA = "default-src 'none'; frame-ancestors 'none'";

    /**
     * For Swagger UI: its own scripts and requests to this service. It sets styles inline, and its icons are data URIs.
     */
    private static final String OF_PAGES = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
            + " img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'";

    private AnswerHeaders() {}

    static void add(@Nullable String path, HttpServletResponse response) {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader(
                "Content-Security-Policy", path != null && path.contains("/swagger-ui") ? OF_PAGES : OF_DATA);
        if (path != null && (path.contains("/api/") || path.contains("/dcb/"))) {
            // A browser may keep it and has to ask again each time; shared caches keep none of it.
            response.setHeader("Cache-Control", "private, no-cache");
        }
    }
}
