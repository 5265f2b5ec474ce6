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
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Problem.FieldError;
import dev.registrar.http.problem.TooManyRequestsException;
import dev.registrar.http.problem.UnknownToCallerException;
import dev.registrar.projection.NotRebuildableException;
import dev.registrar.projection.NotSkippableException;
import dev.registrar.projection.UnknownProjectionException;
import dev.registrar.projection.ViewBehindException;
import dev.registrar.security.RefusalLog;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.HandlerMapping;

/**
 * What an exception becomes: a problem, for the API as JSON and for the console as a page. Here are the exceptions of
 * the service, in {@link SpringProblems} those of Spring.
 */
@RestControllerAdvice
public final class Problems extends SpringProblems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private final RefusalLog refusals;
    private final String retryAfterSeconds;
    private final String deadline;

    Problems(HttpSettings settings, RefusalLog refusals) {
        this.refusals = refusals;
        this.retryAfterSeconds = Long.toString(settings.retryAfter().toSeconds());
        this.deadline = "%d ms".formatted(settings.admission().deadline().toMillis());
    }

    /**
     * The answer to a failed request, with a {@link ProblemDetail} as its body; null if the client has disconnected.
     *
     * @throws BrokenAnswerException if a part of the answer is sent already
     */
    public @Nullable ResponseEntity<Object> of(Exception failure, HttpServletRequest request) {
        if (failure instanceof ErrorResponse || failure instanceof TypeMismatchException) {
            try {
                return handleException(failure, new ServletWebRequest(request));
            } catch (Exception unknown) {
                return unexpected(unknown);
            }
        }
        return answer(failure, request);
    }

    @ExceptionHandler
    @Nullable ResponseEntity<Object> answer(Exception failure, HttpServletRequest request) {
        return switch (failure) {
            case EventStoreException store -> storeFailure(store, request.getHeader(Headers.IDEMPOTENCY_KEY));
            case UnknownToCallerException unknown -> {
                log(request, HttpStatus.NOT_FOUND, "other-student");
                yield unknown.unknown().response();
            }
            case AccessDeniedException denied -> {
                log(request, HttpStatus.FORBIDDEN, "not-allowed");
                yield forbidden(denied);
            }
            case TooManyTasksException tooMany -> later("overloaded", String.valueOf(tooMany.getMessage()));
            case TaskTimeoutException late -> later("overloaded", String.valueOf(late.getMessage()));
            case DataAccessResourceFailureException unavailable -> projectionsUnavailable(unavailable);
            case TransientDataAccessException unavailable -> projectionsUnavailable(unavailable);
            case TooManyRequestsException tooMany ->
                Problem.response(
                        problem(HttpStatus.TOO_MANY_REQUESTS, "too-many-requests", tooMany), retryAfterSeconds);
            case ViewBehindException behind ->
                Problem.response(problem(HttpStatus.SERVICE_UNAVAILABLE, "view-behind", behind), retryAfterSeconds);
            case UnknownProjectionException unknown ->
                Problem.response(problem(HttpStatus.NOT_FOUND, "projection-unknown", unknown));
            case NotRebuildableException automation ->
                Problem.response(problem(HttpStatus.CONFLICT, "not-rebuildable", automation));
            case NotSkippableException elsewhere ->
                Problem.response(problem(HttpStatus.CONFLICT, "not-skippable", elsewhere));
            case DataSetConflictException conflict ->
                Problem.response(problem(HttpStatus.CONFLICT, "data-set-conflict", conflict));
            case InvalidValueException invalid ->
                Problem.response(Problem.invalid(
                        List.of(new FieldError(invalid.pointer(), String.valueOf(invalid.getMessage())))));
            default -> unexpected(failure);
        };
    }

    private static ProblemDetail problem(HttpStatus status, String code, Exception failure) {
        return Problem.of(status, code, failure.getMessage());
    }

    private ResponseEntity<Object> storeFailure(EventStoreException failure, @Nullable String key) {
        return switch (failure) {
            case RefusedInputException refused ->
                Problem.response(problem(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-value", refused));
            case IdempotencyKeyReusedException reused ->
                Problem.response(Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "idempotency-key-reused",
                        "Idempotency-Key '%s' was used before with another method, path or body: send this request under a new key"
                                .formatted(key)));
            case StoreReplacedException replaced ->
                Problem.response(problem(HttpStatus.CONFLICT, "store-replaced", replaced));
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
                yield outcomeUnknown(unknown, key);
            }
        };
    }

    private ResponseEntity<Object> later(EventStoreException failure, String code, String detail) {
        ProblemDetail problem = Problem.of(HttpStatus.SERVICE_UNAVAILABLE, code, nothingChanged(detail));
        setCategory(problem, failure);
        return Problem.response(problem, retryAfterSeconds);
    }

    private ResponseEntity<Object> later(String code, String detail) {
        return Problem.response(
                Problem.of(HttpStatus.SERVICE_UNAVAILABLE, code, nothingChanged(detail)), retryAfterSeconds);
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

    private ResponseEntity<Object> projectionsUnavailable(DataAccessException unavailable) {
        LOG.error("Database unavailable while reading a view: {}", unavailable.toString());
        return later("database-unavailable", "The database cannot be reached");
    }

    /* The texts of the framework are not used, since they differ between versions. */
    private static ResponseEntity<Object> forbidden(AccessDeniedException denied) {
        return Problem.response(Problem.of(
                HttpStatus.FORBIDDEN,
                Problem.code(HttpStatus.FORBIDDEN),
                denied instanceof AuthorizationDeniedException
                        ? "The caller's roles and scopes do not allow this request"
                        : denied.getMessage()));
    }

    private void log(HttpServletRequest request, HttpStatus status, String reason) {
        Object mapping = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        refusals.refused(request.getMethod(), String.valueOf(mapping), status, reason);
    }

    private static @Nullable ResponseEntity<Object> unexpected(Exception failure) {
        if (isClientGone(failure)) {
            LOG.debug("Client disconnected before its answer was complete", failure);
            return null;
        }
        if (failure instanceof BrokenAnswerException broken) {
            // Rethrown, so that the server aborts the connection.
            throw broken;
        }
        LOG.error("Unexpected error while handling a request", failure);
        return Problem.response(Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "internal-error",
                "Unexpected error while handling the request: look for this answer's X-Correlation-Id in the log"));
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
}
