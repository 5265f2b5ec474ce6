package dev.registrar.http;

import dev.registrar.http.problem.InvalidValueException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.DigestUtils;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * Keyset pagination of lists. Each page links to the next one, which begins after the last entry of this page, whatever
 * entries were inserted before it.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8288">RFC 8288, Web Linking</a>
 */
final class Pages {
    static final int MAX_ENTRIES = 1_000;
    static final String DEFAULT_ENTRIES = "100";
    static final String AFTER = "The cursor of the page, from the Link header of the previous page";

    private static final String SEPARATOR = "\n";

    private Pages() {}

    /** The entity tag of a page. The link to the next page is a header, so it is not in the content. */
    static String entityTag(byte[] content, Optional<String> next) {
        String digest = DigestUtils.md5DigestAsHex(content);
        return next.map(after -> DigestUtils.md5DigestAsHex((digest + after).getBytes(StandardCharsets.UTF_8)))
                .orElse(digest);
    }

    /** The header that leads to the next page of the requested one, which begins after a cursor. */
    static String link(HttpServletRequest request, String after) {
        return "<%s>; rel=\"next\""
                .formatted(UriComponentsBuilder.fromPath(request.getRequestURI())
                        .query(request.getQueryString())
                        .replaceQueryParam("after", UriUtils.encode(after, StandardCharsets.UTF_8))
                        .build()
                        .toUriString());
    }

    /** The cursor after an entry. A client sends it back to get the next page. */
    static String cursor(String key, String id) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((key + SEPARATOR + id).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The sort key and the id of the entry after which a page begins.
     *
     * @throws InvalidValueException if the text is not a cursor
     */
    static Optional<List<String>> cursor(@Nullable String given) {
        if (given == null) {
            return Optional.empty();
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(given), StandardCharsets.UTF_8);
            int separator = text.lastIndexOf(SEPARATOR);
            if (separator >= 0 && text.indexOf('\0') < 0) {
                return Optional.of(
                        List.of(text.substring(0, separator), text.substring(separator + SEPARATOR.length())));
            }
        } catch (IllegalArgumentException malformed) {
            // Refused below.
        }
        throw new InvalidValueException("/after", "is not a cursor: use the one in the previous page's Link header");
    }
}
