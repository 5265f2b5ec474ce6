package dev.registrar.console;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** What a page is about does not exist, or no view has it yet. */
public final class AbsentException extends ResponseStatusException {
    private final String sentenceIfBehind;
    private final String where;
    private final String link;

    /**
     * An answer 404.
     *
     * @param sentence says that it does not exist
     * @param sentenceIfBehind says that it appears later, if a view is behind the visitor's last command
     * @param where the path at which it could be found
     * @param link the text of a link to there
     */
    public AbsentException(String sentence, String sentenceIfBehind, String where, String link) {
        super(HttpStatus.NOT_FOUND, sentence);
        this.sentenceIfBehind = sentenceIfBehind;
        this.where = where;
        this.link = link;
    }

    /** No course has an id. */
    public static AbsentException course(String id, String where) {
        return new AbsentException(
                "There is no course with the id %s.".formatted(id),
                "The course %s is defined. Its page appears when the view has caught up; until then it is not found."
                        .formatted(id),
                where,
                "Search for a course");
    }

    public String sentenceIfBehind() {
        return sentenceIfBehind;
    }

    public String where() {
        return where;
    }

    public String link() {
        return link;
    }
}
