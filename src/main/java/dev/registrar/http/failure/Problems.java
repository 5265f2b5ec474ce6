package dev.registrar.http.failure;

import dev.registrar.concurrent.TaskTimeoutException;
import dev.registrar.concurrent.TooManyTasksException;
import dev.registrar.dataset.DataSetConflictException;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.http.admission.HttpSettings;
import dev.registrar.http.problem.BodyTooLargeException;
import dev.registrar.http.problem.BodyTooSlowException;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.MalformedKeyException;
import dev.registrar.http.problem.MalformedQueryException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Problem.FieldError;
import dev.registrar.http.problem.RefusedParametersException;
import dev.registrar.http.problem.TooManyRequestsException;
import dev.registrar.http.problem.UnreadableBodyException;
import dev.registrar.projection.NotRebuildableException;
import dev.registrar.projection.NotSkippableException;
import dev.registrar.projection.UnknownProjectionException;
import dev.registrar.projection.ViewBehindException;
import java.util.List;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/**
 * Maps exceptions to problem details, for all controllers: those of the service; {@link SpringProblems} those of
 * Spring.
 */
@RestControllerAdvice
final class Problems extends SpringProblems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private final String retryAfterSeconds;
    private final String deadline;

    Problems(HttpSettings settings) {
        this.retryAfterSeconds = Long.toString(settings.retryAfter().toSeconds());
        this.deadline = "%d ms".formatted(settings.admission().deadline().toMillis());
    }

    @ExceptionHandler
    ResponseEntity<Object> storeFailure(EventStoreException failure, WebRequest request) {
        return switch (failure) {
            case RefusedInputException refused ->
                Problem.response(Problem.of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-value", refused.getMessage()));
            case IdempotencyKeyReusedException reused ->
                Problem.response(Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "idempotency-key-reused",
                        "Idempotency-Key '%s' was used before with another method, path or body: send this request under a new key"
                                .formatted(request.getHeader(Headers.IDEMPOTENCY_KEY))));
            case StoreReplacedException replaced ->
                Problem.response(Problem.of(HttpStatus.CONFLICT, "store-replaced", replaced.getMessage()));
            case OverloadedException overloaded ->
                later(failure, "overloaded", String.valueOf(overloaded.getMessage()));
            case StoreTimeoutException late -> {
                LOG.warn("Event store time-out: {}", late.toString());
                yield later(
                        failure,
                        "overloaded",
                        "The event store did not answer within the request's deadline (%s)".formatted(deadline));
            }
            case StoreUnavailableException unavailable -> {
                LOG.error("Event store unavailable: {}", causes(unavailable));
                yield later(failure, "database-unavailable", "The database cannot be reached");
            }
            case OutcomeUnknownException unknown -> {
                LOG.error("Connection lost during an append, which may have been committed: {}", causes(unknown));
                yield outcomeUnknown(unknown, request.getHeader(Headers.IDEMPOTENCY_KEY));
            }
        };
    }

    private ResponseEntity<Object> later(EventStoreException failure, String code, String detail) {
        ProblemDetail problem = Problem.of(HttpStatus.SERVICE_UNAVAILABLE, code, nothingChanged(detail));
        setCategory(problem, failure);
        return Problem.response(problem, retryAfterSeconds);
    }

    private String nothingChanged(String reason) {
        return "%s; nothing was changed: send the request again after %s s".formatted(reason, retryAfterSeconds);
    }

    private static void setCategory(ProblemDetail problem, EventStoreException failure) {
        failure.category().ifPresent(category -> problem.setProperty("category", KebabCase.of(category)));
    }

    /* While the database is unavailable, every request fails. Each logs one line, without a stack trace. */
    private static String causes(Throwable failure) {
        return failure.getCause() == null ? failure.toString() : failure + ", caused by " + causes(failure.getCause());
    }

    @ExceptionHandler({TooManyTasksException.class, TaskTimeoutException.class})
    ResponseEntity<Object> executorOverloaded(RuntimeException overloaded) {
        return Problem.response(
                Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "overloaded",
                        nothingChanged(String.valueOf(overloaded.getMessage()))),
                retryAfterSeconds);
    }

    @ExceptionHandler
    ResponseEntity<Object> tooManyRequests(TooManyRequestsException tooMany) {
        return Problem.response(
                Problem.of(HttpStatus.TOO_MANY_REQUESTS, "too-many-requests", tooMany.getMessage()), retryAfterSeconds);
    }

    /* Without a key, a retry could carry out the command twice. Such an answer therefore has no Retry-After. */
    private ResponseEntity<Object> outcomeUnknown(OutcomeUnknownException unknown, @Nullable String key) {
        ProblemDetail problem = Problem.of(
                HttpStatus.GATEWAY_TIMEOUT,
                "outcome-unknown",
                key != null
                        ? "It is unknown whether the change was stored: send the request again under the same Idempotency-Key, '%s'"
                                .formatted(key)
                        : "It is unknown whether the change was stored: check that before you send the request again");
        setCategory(problem, unknown);
        return key != null ? Problem.response(problem, retryAfterSeconds) : Problem.response(problem);
    }

    @ExceptionHandler({DataAccessResourceFailureException.class, TransientDataAccessException.class})
    ResponseEntity<Object> projectionsUnavailable(DataAccessException unavailable) {
        LOG.error("Database unavailable while reading a view: {}", unavailable.toString());
        return Problem.response(
                Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "database-unavailable",
                        nothingChanged("The database cannot be reached")),
                retryAfterSeconds);
    }

    @ExceptionHandler
    ResponseEntity<Object> viewBehind(ViewBehindException behind) {
        return Problem.response(
                Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "view-behind", behind.getMessage()), retryAfterSeconds);
    }

    @ExceptionHandler
    ResponseEntity<Object> unknownProjection(UnknownProjectionException unknown) {
        return Problem.response(Problem.of(HttpStatus.NOT_FOUND, "projection-unknown", unknown.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> notRebuildable(NotRebuildableException automation) {
        return Problem.response(Problem.of(HttpStatus.CONFLICT, "not-rebuildable", automation.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> notSkippable(NotSkippableException elsewhere) {
        return Problem.response(Problem.of(HttpStatus.CONFLICT, "not-skippable", elsewhere.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> dataSetConflict(DataSetConflictException conflict) {
        return Problem.response(Problem.of(HttpStatus.CONFLICT, "data-set-conflict", conflict.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> invalidValue(InvalidValueException invalid) {
        return Problem.response(
                Problem.invalid(List.of(new FieldError(invalid.pointer(), String.valueOf(invalid.getMessage())))));
    }

    @ExceptionHandler
    ResponseEntity<Object> malformedQuery(MalformedQueryException malformed) {
        return Problem.response(Problem.of(HttpStatus.BAD_REQUEST, "malformed-query", malformed.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> malformedKey(MalformedKeyException malformed) {
        return Problem.response(
                Problem.of(HttpStatus.BAD_REQUEST, "idempotency-key-malformed", malformed.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> bodyTooLarge(BodyTooLargeException large) {
        return Problem.response(Problem.of(HttpStatus.CONTENT_TOO_LARGE, "body-too-large", large.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> bodyTooSlow(BodyTooSlowException slow) {
        return Problem.response(Problem.of(HttpStatus.REQUEST_TIMEOUT, "request-timeout", slow.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> unreadable(UnreadableBodyException unreadable) {
        return Problem.response(unreadable.problem());
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Object> unexpected(Exception failure) {
        if (isClientGone(failure)) {
            LOG.debug("Client disconnected before its answer was complete", failure);
            return null;
        }
        return bug(failure);
    }

    /* The client has closed its connection or does not read its answer: no other answer can reach it. */
    private static boolean isClientGone(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClientAbortException || cause instanceof AsyncRequestNotUsableException) {
                return true;
            }
        }
        return false;
    }

    ResponseEntity<Object> bug(Exception bug) {
        if (bug instanceof BrokenAnswerException broken) {
            // Rethrown, so that the server aborts the connection.
            throw broken;
        }
        LOG.error("Unexpected error while handling a request", bug);
        return Problem.response(Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "internal-error",
                "Unexpected error while handling the request: look for this answer's X-Correlation-Id in the log"));
    }

    @ExceptionHandler
    ResponseEntity<Object> refusedParameters(RefusedParametersException refused) {
        if (refused.unknown().isEmpty()) {
            return Problem.response(Problem.invalid(refused.invalid()));
        }
        ProblemDetail problem =
                Problem.of(HttpStatus.BAD_REQUEST, "unknown-parameter", Problem.sentences(refused.unknown()));
        problem.setProperty("errors", refused.unknown());
        return Problem.response(problem);
    }
}
