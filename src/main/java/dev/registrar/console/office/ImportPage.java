package dev.registrar.console.office;

import dev.registrar.enrollment.DefineCourse;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImport.State;
import dev.registrar.imports.LineError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an import in words.
 *
 * @param texts the lines with errors by their number, if they are shown
 */
record ImportPage(Progress progress, Map<Long, String> texts) {
    ImportPage {
        texts = Map.copyOf(texts);
    }

    /**
     * An error.
     *
     * @param text the line as it was sent; null after the first error of a line, or if it is not shown
     */
    record Line(LineError error, String sentence, @Nullable String text) {}

    /** Whether the progress can still change. */
    public boolean isRunning() {
        return switch (progress.state()) {
            case WAITING, CHECKING, DEFINING -> true;
            case REFUSED, FINISHED, STOPPED -> false;
        };
    }

    /** Whether the import ended without defining all courses. */
    public boolean isFailed() {
        return !isRunning() && (progress.state() != State.FINISHED || progress.errorCount() > 0);
    }

    /** Number of lines that are done. */
    public int done() {
        return switch (progress.state()) {
            case WAITING, CHECKING -> 0;
            case DEFINING, STOPPED -> Math.min(progress.courses(), progress.defined() + progress.errorCount());
            case REFUSED, FINISHED -> progress.courses();
        };
    }

    /** What happens now, or what has happened and what to do. */
    public String status() {
        return switch (progress.state()) {
            case WAITING -> "The import waits for the imports before it.";
            case CHECKING -> "The file is read and checked. No course is defined yet.";
            case DEFINING -> "The file is valid. Its courses are being defined.";
            case REFUSED ->
                "The file has errors, and no course was defined. Correct these lines, then send all lines again.";
            case FINISHED ->
                progress.errorCount() == 0
                        ? progress.courses() > 0 && progress.repeated() == progress.courses()
                                ? "All courses of the file are defined: an earlier import of it defined them."
                                : "All courses of the file are defined."
                        : "The file is imported, except for the lines below: others used their ids meanwhile.";
            case STOPPED ->
                "The import stopped: %s. Send the same file again: the courses that are defined already stay as they are."
                        .formatted(progress.stoppedBy());
        };
    }

    /** The first errors, in the order of their lines. */
    public List<Line> errors() {
        Map<Long, String> left = new HashMap<>(texts);
        return progress.errors().stream()
                .map(error -> new Line(error, sentence(error.field(), error.detail()), left.remove(error.line())))
                .toList();
    }

    /* The details are codes of refusals, sentences, or the end of a sentence about the field or the line. */
    private static String sentence(@Nullable String field, String detail) {
        return Stream.of(DefineCourse.Refused.values())
                .filter(reason -> detail.startsWith(reason.code() + ": "))
                .map(reason -> sentence(reason) + detail.substring(reason.code().length() + 1))
                .findFirst()
                .orElseGet(() -> {
                    boolean isSentence = detail.isEmpty() || Character.isUpperCase(detail.codePointAt(0));
                    return isSentence
                            ? detail + "."
                            : "%s %s.".formatted(field == null ? "The line" : "The field", detail);
                });
    }

    private static String sentence(DefineCourse.Refused reason) {
        return switch (reason) {
            case COURSE_ID_TAKEN -> "Choose another id, because another course already has this one:";
            case PREREQUISITE_CYCLE -> "The course would require itself:";
            case PREREQUISITE_UNDEFINED -> "There is no such course, neither here nor in the file:";
        };
    }
}
