package dev.registrar.imports;

import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.imports.CourseFile.CourseLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An import on its way, from the moment it is taken until it is forgotten. */
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
    private @Nullable String stoppedBy;

    /** Where an import stands. */
    public enum State {
        WAITING,
        /** The file is read and checked; nothing is defined yet. */
        CHECKING,
        /** The file is right and its courses are being defined. */
        DEFINING,
        /** A line of the file is wrong, or an id of it was taken before any of its courses was defined: none was. */
        REFUSED,
        /**
         * All courses are defined, but for those whose ids somebody else took after the first was: errors tell of them.
         */
        FINISHED,
        /**
         * It could not go on; when the same file is sent again, under the same key if it had one, it defines the rest.
         */
        STOPPED;

        /** Whether it will do nothing more. */
        boolean isEnd() {
            return switch (this) {
                case WAITING, CHECKING, DEFINING -> false;
                case REFUSED, FINISHED, STOPPED -> true;
            };
        }
    }

    /**
     * How far an import is.
     *
     * @param courses of the file; 0 until it has been read
     * @param defined courses by this import
     * @param repeated courses of those that an earlier try of the same import had defined
     * @param position of the last event of the courses that are defined; null as long as there is none. A look-up that
     *     waits for it, by {@code Registrar-After}, finds them all
     * @param errors the first that were found, in the order of their lines
     * @param errorCount how many there are
     * @param stoppedBy what kept it from going on
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
            @Nullable String stoppedBy) {}

    CourseImport(UUID id, IdempotencyKey key, int maxErrors) {
        this.id = id;
        this.key = key;
        this.lineKeys = lineKeys(key);
        this.maxErrors = maxErrors;
    }

    UUID id() {
        return id;
    }

    /* Of a fixed length, however long the client's key is. */
    private static String lineKeys(IdempotencyKey key) {
        return IdempotencyKey.of(
                        "import",
                        key.value().getBytes(StandardCharsets.UTF_8),
                        key.fingerprint().getBytes(StandardCharsets.UTF_8))
                .fingerprint();
    }

    /** Under which its file was sent, or that of the file itself. */
    IdempotencyKey key() {
        return key;
    }

    /** The same for this line of this file under this key in every process. */
    IdempotencyKey keyOf(CourseLine line) {
        return IdempotencyKey.of(
                "import:%s:%d".formatted(lineKeys, line.number()),
                line.command().toString().getBytes(StandardCharsets.UTF_8));
    }

    /** How far it is now. */
    public synchronized Progress progress() {
        List<LineError> inOrder = errors.stream()
                .sorted(Comparator.comparingLong(LineError::line))
                .toList();
        @Nullable Long position = last == null ? null : last.value();
        return new Progress(id, state, courses, defined, repeated, position, errorCount, inOrder, stoppedBy);
    }

    synchronized State state() {
        return state;
    }

    synchronized void checks() {
        state = State.CHECKING;
    }

    synchronized void read(CourseFile file) {
        courses = file.lines();
        errorCount = file.errorCount();
        errors.addAll(file.errors());
    }

    synchronized void defines() {
        state = State.DEFINING;
    }

    synchronized void defined(Position position, boolean before) {
        defined++;
        last = last == null || position.isAfter(last) ? position : last;
        repeated += before ? 1 : 0;
    }

    synchronized void error(LineError error) {
        errorCount++;
        if (errors.size() < maxErrors) {
            errors.add(error);
        }
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
