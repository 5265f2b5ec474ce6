package dev.registrar.http.description;

import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangeEmail;
import dev.registrar.enrollment.ChangeName;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.ChangeTitle;
import dev.registrar.enrollment.ChangeWindow;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollByOverride;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.SwapCourse;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.problem.FulfilledRefusals;
import dev.registrar.http.problem.Problem.FieldError;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What operations are refused with. Each is a response of the description, with the codes of its problems. */
enum DescribedProblem {
    MALFORMED(
            "400",
            "The query string, a header or the body is malformed, or has an unknown field or parameter",
            "bad-request",
            "malformed-query",
            "unknown-parameter",
            "malformed-json",
            "unknown-field",
            "duplicate-field",
            "idempotency-key-malformed"),
    UNAUTHORIZED("401", "There is no access token or password, or it is not valid", "unauthorized"),
    FORBIDDEN("403", "The roles and scopes of the caller do not allow the request", "forbidden"),
    UNKNOWN(
            "404",
            "Unknown",
            "course-unknown",
            "student-unknown",
            "not-enrolled",
            "not-waiting",
            "import-unknown",
            "refusal-unknown",
            "event-unknown",
            "projection-unknown",
            "dead-letter-unknown"),
    NOT_ACCEPTABLE("406", "No accepted media type is available", "not-acceptable"),
    BODY_TOO_SLOW("408", "The body did not arrive in time", "request-timeout"),
    REFUSED("409", "The current state does not permit the request; the code gives the reason", refusals()),
    HISTORY_LOST("409", "The store has lost the history that the request rests on", "store-replaced"),
    ERASURE_DISABLED("409", "Erasures are disabled", "erasure-disabled"),
    RETAGGING_DISABLED("409", "Tags cannot be added", "retagging-disabled"),
    NOT_REBUILDABLE("409", "Only a view can be rebuilt", "not-rebuildable"),
    NOT_SKIPPABLE("409", "The projection has not stopped at this event", "not-skippable"),
    NOT_RETRYABLE("409", "The dead letter cannot be retried, or not now", "not-retryable"),
    BODY_TOO_LARGE("413", "The body is too large", "body-too-large"),
    BODY_OF_OTHER_TYPE("415", "The body has a media type that the operation does not take", "unsupported-media-type"),
    INVALID("422", "A value is invalid; the errors name it", "invalid-value", "idempotency-key-reused"),
    TOO_MANY("429", "This client sends too many requests", "too-many-requests"),
    OVERLOADED(
            "503",
            "Overloaded, contended, a view is behind, or the database is unavailable; nothing was changed",
            "overloaded",
            "contended",
            "view-behind",
            "relay-unavailable",
            "database-unavailable",
            "service-unavailable"),
    OUTCOME_UNKNOWN("504", "It is unknown whether the change was stored", "outcome-unknown");

    final String status;
    final String description;

    @SuppressWarnings("ImmutableEnumChecker") // of List.of
    final List<String> codes;

    DescribedProblem(String status, String description, String... codes) {
        this.status = status;
        this.description = description;
        this.codes = List.of(codes);
    }

    /** Why the office's commands are refused, except for what does not exist. */
    private static String[] refusals() {
        return Stream.<Refusal[]>of(
                        DefineCourse.Refused.values(),
                        ChangeTitle.Refused.values(),
                        ChangeCapacity.Refused.values(),
                        ChangeWindow.Refused.values(),
                        ChangePrerequisites.Refused.values(),
                        ChangeTimes.Refused.values(),
                        CloseCourse.Refused.values(),
                        RegisterStudent.Refused.values(),
                        ChangeName.Refused.values(),
                        ChangeEmail.Refused.values(),
                        ChangeTier.Refused.values(),
                        EnrollStudent.Refused.values(),
                        SwapCourse.Refused.values(),
                        EnrollByOverride.Refused.values(),
                        DropStudent.Refused.values(),
                        JoinWaitingList.Refused.values(),
                        LeaveWaitingList.Refused.values())
                .flatMap(Stream::of)
                .filter(refusal ->
                        !refusal.isAboutUnknown() && !refusal.isOutdated() && !FulfilledRefusals.contains(refusal))
                .map(Refusal::code)
                .distinct()
                .toArray(String[]::new);
    }

    /** The name of the response in the description. */
    String key() {
        return KebabCase.of(this);
    }

    /** The shape of a problem, for the description only. */
    @Schema(name = "Problem", description = "Problem details (RFC 9457)")
    record Shape(
            @Schema(example = "urn:registrar:problem:course-full")
            URI type,

            @Schema(example = "Course full") String title,
            @Schema(example = "409") int status,
            @Nullable String detail,

            @Schema(
                    example = "/api/courses/maths-101/students/ann",
                    description = "Absent if the path of the request could not be read")
            @Nullable String instance,

            @Schema(example = "course-full", description = "Stable")
            String code,

            @Schema(example = "connection", description = "The category of the database failure, if that is the reason")
            @Nullable String category,

            @Nullable List<FieldError> errors,

            @Nullable @Schema(
                    example = "[\"music-101\"]",
                    description =
                            "The student's courses that meet at the same time, sorted by id, at most 64; only with the code times-clash")
            List<String> clashesWith) {}
}
