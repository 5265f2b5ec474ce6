package dev.registrar.console.office;

import dev.registrar.enrollment.DefineCourse;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.LineError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an import in words.
 *
 * @param running whether the progress can still change
 * @param failed whether it ended without defining all courses
 * @param status what happens now, or what has happened and what to do
 * @param done number of lines that are done
 * @param errorCount number of all errors, of which the first ones are listed
 */
record ImportPage(
        UUID id,
        boolean running,
        boolean failed,
        String status,
        int courses,
        int done,
        int accepted,
        int errorCount,
        List<Line> errors) {

    ImportPage {
        errors = List.copyOf(errors);
    }

    /**
     * An error.
     *
     * @param number of the line, from 1
     * @param field null if the error concerns the whole line
     * @param text the line as it was sent; null after the first error of a line, or if it is not shown
     */
    record Line(
            long number,
            @Nullable String field,
            String sentence,
            @Nullable String text) {}

    /**
     * The page.
     *
     * @param texts lines with errors by their number, if they are shown
     */
    static ImportPage of(Progress progress, Map<Long, String> texts) {
        Map<Long, String> left = new HashMap<>(texts);
        return new ImportPage(
                progress.id(),
                switch (progress.state()) {
                    case WAITING, CHECKING, DEFINING -> true;
                    case REFUSED, FINISHED, STOPPED -> false;
                },
                switch (progress.state()) {
                    case REFUSED, STOPPED -> true;
                    case WAITING, CHECKING, DEFINING -> false;
                    case FINISHED -> progress.errorCount() > 0;
                },
                status(progress),
                progress.courses(),
                switch (progress.state()) {
                    case WAITING, CHECKING -> 0;
                    case DEFINING, STOPPED -> Math.min(progress.courses(), progress.defined() + progress.errorCount());
                    case REFUSED, FINISHED -> progress.courses();
                },
                progress.defined(),
                progress.errorCount(),
                progress.errors().stream()
                        .map(error -> line(error, left.remove(error.line())))
                        .toList());
    }

    private static String status(Progress progress) {
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

    private static Line line(LineError error, @Nullable String text) {
        return new Line(error.line(), error.field(), sentence(error.field(), error.detail()), text);
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
