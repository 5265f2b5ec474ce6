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
 * Lists by the page: each links to the next one, which begins behind its last entry whatever has come before meanwhile.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8288">RFC 8288, Web Linking</a>
 */
final class Pages {
    static final int LARGEST = 1_000;
    static final String USUAL = "100";
    static final String AFTER = "Where the page begins, from the link to it";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String BETWEEN = "\n";

    private Pages() {}

    /** A page, with the link to the next one if there is one, and an entity tag made of its JSON. */
    static ResponseEntity<Object> answer(HttpServletRequest request, Record page, Optional<String> next) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok().eTag("\"%s\"".formatted(entityTag(page, next)));
        next.map(after -> link(request, after))
                .ifPresent(link -> answer.header(HttpHeaders.LINK, "<%s>; rel=\"next\"".formatted(link)));
        return answer.body(page);
    }

    /* Of JSON and not of toString, in which text can look like the end of one value and the beginning of another. */
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

    /** The place behind an entry, as the client is to give it back. */
    static String cursor(String key, String id) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((key + BETWEEN + id).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Key and id of the entry that a page begins behind.
     *
     * @throws InvalidValueException if no page was ever linked to like this
     */
    static Optional<List<String>> cursor(@Nullable String given) {
        if (given == null) {
            return Optional.empty();
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(given), StandardCharsets.UTF_8);
            int between = text.lastIndexOf(BETWEEN);
            if (between >= 0 && text.indexOf('\0') < 0) {
                return Optional.of(List.of(text.substring(0, between), text.substring(between + BETWEEN.length())));
            }
        } catch (IllegalArgumentException malformed) {
            // Told below.
        }
        throw new InvalidValueException("/after", "is from the link to the next page");
    }
}
