package dev.registrar.http;

import dev.registrar.catalog.Current;
import dev.registrar.http.problem.Unknown;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.http.ResponseEntity;
import org.springframework.util.DigestUtils;
import tools.jackson.databind.json.JsonMapper;

/** Answers look-ups: with the content and its entity tag, or with 404. */
final class Reads {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int DIGITS = 16;

    private Reads() {}

    /**
     * Answers with the content and an entity tag. Spring answers 304 if the client has this content. The tag contains
     * the position of the content, and a digest of the store's incarnation and the content: after a failover or a
     * restore, the same position can have other content.
     *
     * @param incarnation of the store
     * @param unknown the answer if nothing was found
     */
    static <V> ResponseEntity<Object> answer(
            Optional<Current<V>> found, UUID incarnation, Unknown unknown, Function<V, Object> body) {
        return found.map(current -> {
                    Object content = body.apply(current.view());
                    String tag = "\"%s-%s\"".formatted(current.asOf(), digest(incarnation, content));
                    return ResponseEntity.ok().eTag(tag).body(content);
                })
                .orElseGet(unknown::response);
    }

    private static String digest(UUID incarnation, Object content) {
        String whole = incarnation + JSON.writeValueAsString(content);
        return DigestUtils.md5DigestAsHex(whole.getBytes(StandardCharsets.UTF_8))
                .substring(0, DIGITS);
    }
}
