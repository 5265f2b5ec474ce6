package dev.registrar.http;

import dev.registrar.catalog.Current;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** What all look-ups have in common: the entity tag, and the answer when there is nothing. */
final class Reads {
    private Reads() {}

    /**
     * The view with the position it rests on as its entity tag; Spring answers 304 where the client has it already.
     *
     * @param unknown the problem's code when there is no view
     */
    static <V> ResponseEntity<Object> answer(Optional<Current<V>> found, String unknown, Function<V, Object> body) {
        return found.map(current ->
                        ResponseEntity.ok().eTag("\"" + current.asOf() + "\"").body(body.apply(current.view())))
                .orElseGet(() -> Problem.response(Problem.of(HttpStatus.NOT_FOUND, unknown, null)));
    }
}
