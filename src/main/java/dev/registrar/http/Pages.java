package dev.registrar.http;

import dev.registrar.http.problem.InvalidValueException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.util.DigestUtils;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import tools.jackson.databind.json.JsonMapper;

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

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String SEPARATOR = "\n";

    private Pages() {}

    /** Answers with a page, a link to the next page if there is one, and an entity tag made from the page's JSON. */
    static ResponseEntity<Object> answer(HttpServletRequest request, Record page, Optional<String> next) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok().eTag("\"%s\"".formatted(entityTag(page, next)));
        next.map(after -> link(request, after))
                .ifPresent(link -> answer.header(HttpHeaders.LINK, "<%s>; rel=\"next\"".formatted(link)));
        return answer.body(page);
    }

    /* Made from JSON: in toString, text can look like the end of one value and the start of another. */
    private static String entityTag(Record page, Optional<String> next) {
        return DigestUtils.md5DigestAsHex(JSON.writeValueAsBytes(List.of(page, next.orElse(""))));
    }

    private static String link(HttpServletRequest request, String after) {
        UriComponentsBuilder link = UriComponentsBuilder.fromPath(request.getRequestURI());
        request.getParameterMap().forEach((name, values) -> {
            if (!name.equals("after")) {
                for (String value : values) {
                    link.queryParam(encoded(name), encoded(value));
                }
            }
        });
        return link.queryParam("after", encoded(after)).build(true).toUriString();
    }

    private static String encoded(String text) {
        return UriUtils.encode(text, StandardCharsets.UTF_8);
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
