package dev.registrar.console.office;

import dev.registrar.catalog.RequiredCourses;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.console.ConsoleReads;
import dev.registrar.decision.Decision;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Gives the commands of the course office. The answer is a sentence if a command was refused. */
@Component
final class OfficeCommands {
    /** Maximum number of attempts at a decision that is made from the store's content. */
    private static final int MAX_LOOKS = 10;

    private final ConsoleCommands commands;
    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final int studentLimit;

    OfficeCommands(
            ConsoleCommands commands, EventStore store, EnrollmentEventCodec codec, EnrollmentSettings settings) {
        this.commands = commands;
        this.store = store;
        this.codec = codec;
        this.studentLimit = settings.coursesPerStudent();
    }

    /**
     * Gives a command.
     *
     * @param advice what to do after a refusal
     * @return empty if it was accepted; otherwise why it was not, and what to do
     */
    <R extends Refusal> Optional<Refused<R>> give(
            HttpServletRequest request, Decision<EnrollmentEvent, R> command, Function<R, String> advice) {
        return refused(commands.give(request, command), advice);
    }

    /**
     * Why a command was not carried out.
     *
     * @param reason empty if it lost races against others
     */
    record Refused<R extends Refusal>(Optional<R> reason, String sentence) {}

    private static <R extends Refusal> Optional<Refused<R>> refused(
            Outcome<EnrollmentEvent, R> outcome, Function<R, String> advice) {
        return switch (outcome) {
            case Outcome.Accepted<EnrollmentEvent, R> accepted -> Optional.empty();
            case Outcome.Rejected<EnrollmentEvent, R>(R reason, String explanation) ->
                Optional.of(new Refused<>(Optional.of(reason), "%s. %s".formatted(explanation, advice.apply(reason))));
            case Outcome.Contended<EnrollmentEvent, R> contended ->
                Optional.of(new Refused<>(Optional.empty(), Advice.CONTENDED));
        };
    }

    /** Whether the course was defined as the command defines it. The next page waits for the definition. */
    boolean isDefinedAs(HttpServletRequest request, DefineCourse command) {
        Optional<SequencedEvent> definition = store.last(Query.of(QueryItem.types(EnrollmentEventCodec.COURSE_DEFINED)
                .tagged(command.course().tag().value())));
        definition.ifPresent(event -> ConsoleReads.nextPageWaitsFor(event.position(), request));
        return definition
                .map(event -> codec.decode(event.event()))
                .filter(command.definition()::equals)
                .isPresent();
    }

    /** Enrolls a student. */
    Optional<Refused<EnrollStudent.Refused>> enroll(HttpServletRequest request, StudentId student, CourseId course) {
        return give(request, new EnrollStudent(student, course, studentLimit), Advice::after);
    }

    /** Changes the prerequisites of a course; looks again if the required courses have changed meanwhile. */
    Optional<Refused<ChangePrerequisites.Refused>> changePrerequisites(
            HttpServletRequest request, CourseId course, Prerequisites prerequisites) {
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            Outcome<EnrollmentEvent, ChangePrerequisites.Refused> outcome =
                    commands.give(request, RequiredCourses.change(store, codec, course, prerequisites));
            boolean outdated =
                    outcome instanceof Outcome.Rejected<EnrollmentEvent, ChangePrerequisites.Refused> rejected
                            && rejected.reason().isOutdated();
            if (!outdated) {
                return refused(outcome, Advice::after);
            }
        }
        return Optional.of(new Refused<>(Optional.empty(), Advice.CONTENDED));
    }
}
