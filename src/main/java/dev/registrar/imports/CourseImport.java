package dev.registrar.imports;

import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.imports.CourseFile.CourseLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An import and its progress, from its acceptance until its report is removed. Thread-safe. */
public final class CourseImport {
    private final UUID id;
    private final IdempotencyKey key;
    private final String lineKeys;
    private final int maxErrors;
    private State state = State.WAITING;
    private int courses;
    private int defined;
    private int repeated;
    private @Nullable Position last;
    private int errorCount;
    private final List<LineError> errors = new ArrayList<>();
    private Map<Long, String> wrongLines = Map.of();
    private @Nullable String stoppedBy;
    private @Nullable String note;

    /** The state of an import. */
    public enum State {
        /** The import waits for the imports before it. */
        WAITING,
        /** The file is parsed and checked; no course is defined yet. */
        CHECKING,
        /** The file is valid and its courses are being defined. */
        DEFINING,
        /** A line is invalid, or an id was taken before the first course was defined. No course is defined. */
        REFUSED,
        /**
         * All courses are defined, except those whose ids another request took after the first course was defined; the
         * errors list them.
         */
        FINISHED,
        /** The import failed. Sending the same file again (under the same key if it had one) defines the rest. */
        STOPPED;

        /** Whether the state is final. */
        boolean isEnd() {
            return switch (this) {
                case WAITING, CHECKING, DEFINING -> false;
                case REFUSED, FINISHED, STOPPED -> true;
            };
        }
    }

    /**
     * The progress of an import.
     *
     * @param courses the courses in the file; 0 until the file has been parsed
     * @param defined the courses that are defined, including repeated ones
     * @param repeated the courses that an earlier attempt of the same import had defined
     * @param position of the last event of the defined courses; null while no course is defined. A look-up with this
     *     position in {@code Registrar-After} sees all of them
     * @param errors the first errors, in the order of their lines
     * @param errorCount the number of all errors
     * @param stoppedBy the reason why the import stopped; null in every other state
     * @param note what to check although it is no error: that the encoding was guessed; null if there is nothing
     */
    public record Progress(
            UUID id,
            State state,
            int courses,
            int defined,
            int repeated,
            @Nullable Long position,
            int errorCount,
            List<LineError> errors,
            @Nullable String stoppedBy,
            @Nullable String note) {}

    CourseImport(UUID id, IdempotencyKey key, int maxErrors) {
        this.id = id;
        this.key = key;
        this.lineKeys = lineKeys(key);
        this.maxErrors = maxErrors;
    }

    UUID id() {
        return id;
    }

    /* A text of fixed length, whatever the length of the client's key. */
    private static String lineKeys(IdempotencyKey key) {
        return IdempotencyKey.of(
                        "import",
                        key.value().getBytes(StandardCharsets.UTF_8),
                        key.fingerprint().getBytes(StandardCharsets.UTF_8))
                .fingerprint();
    }

    /** The key under which the file was sent; if it had none, the key made from the file itself. */
    IdempotencyKey key() {
        return key;
    }

    /** The idempotency key of a line; the same in every attempt of this import, in every process. */
    IdempotencyKey keyOf(CourseLine line) {
        return IdempotencyKey.of(
                "import:%s:%s".formatted(lineKeys, line.number()),
                line.command().toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The current progress. */
    public synchronized Progress progress() {
        List<LineError> inOrder = errors.stream()
                .sorted(Comparator.comparingLong(LineError::line))
                .toList();
        @Nullable Long position = last == null ? null : last.value();
        return new Progress(id, state, courses, defined, repeated, position, errorCount, inOrder, stoppedBy, note);
    }

    /**
     * The text of the lines with the errors that are listed, by number; of a file that was not refused, none. A line is
     * cut after 500 characters. After 16,000 characters altogether, further lines are left out.
     */
    public synchronized Map<Long, String> wrongLines() {
        return wrongLines;
    }

    synchronized State state() {
        return state;
    }

    synchronized void checks() {
        state = State.CHECKING;
    }

    synchronized void read(CourseFile file) {
        courses = file.lines();
        note = file.note();
        errorCount = file.errorCount();
        errors.addAll(file.errors());
    }

    synchronized void defines() {
        state = State.DEFINING;
    }

    synchronized void defined(Position position, boolean repeats) {
        defined++;
        last = last == null || position.isAfter(last) ? position : last;
        repeated += repeats ? 1 : 0;
    }

    synchronized void error(LineError error) {
        errorCount++;
        if (errors.size() < maxErrors) {
            errors.add(error);
        }
    }

    synchronized void quoteWrongLines(byte[] file) {
        Set<Long> numbers = errors.stream().map(LineError::line).collect(Collectors.toSet());
        wrongLines = WrongLines.of(file, numbers);
    }

    synchronized boolean hasErrors() {
        return errorCount > 0;
    }

    synchronized void ends(State end) {
        state = end;
    }

    synchronized void stops(String reason) {
        state = State.STOPPED;
        stoppedBy = reason;
    }
}
