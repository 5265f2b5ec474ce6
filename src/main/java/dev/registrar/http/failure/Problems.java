package dev.registrar.http.failure;

import dev.registrar.concurrent.TaskTimeoutException;
import dev.registrar.concurrent.TooManyTasksException;
import dev.registrar.dataset.DataSetConflictException;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.http.admission.BoundedBody;
import dev.registrar.http.admission.HttpSettings;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.ContendedException;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Problem.FieldError;
import dev.registrar.http.problem.ProblemException;
import dev.registrar.http.problem.TooManyRequestsException;
import dev.registrar.http.problem.UnknownToCallerException;
import dev.registrar.http.problem.UnreadableBody;
import dev.registrar.projection.NotRebuildableException;
import dev.registrar.projection.NotRetryableException;
import dev.registrar.projection.NotSkippableException;
import dev.registrar.projection.PublisherUnavailableException;
import dev.registrar.projection.UnknownDeadLetterException;
import dev.registrar.projection.UnknownProjectionException;
import dev.registrar.projection.ViewBehindException;
import dev.registrar.security.RefusalLog;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.validation.Errors;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** What an exception becomes: a problem, for the API as JSON and for the console as a page. */
@RestControllerAdvice
public final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private final RefusalLog refusals;
    private final String retryAfterSeconds;

    Problems(HttpSettings settings, RefusalLog refusals) {
        this.refusals = refusals;
        this.retryAfterSeconds = Long.toString(settings.retryAfter().toSeconds());
    }

    /**
     * The answer to a failed request, with a {@link ProblemDetail} as its body; null if the client has disconnected.
     *
     * @throws BrokenAnswerException if a part of the answer is sent already
     */
    @ExceptionHandler
    public @Nullable ResponseEntity<Object> of(Exception failure, HttpServletRequest request) {
        return switch (failure) {
            case EventStoreException store -> storeFailure(store, request.getHeader(Headers.IDEMPOTENCY_KEY));
            case UnknownToCallerException unknown -> {
                log(request, HttpStatus.NOT_FOUND, "other-student");
                yield unknown.unknown().response();
            }
            case AccessDeniedException denied -> {
                log(request, HttpStatus.FORBIDDEN, "not-allowed");
                yield refused(HttpStatus.FORBIDDEN, Problem.code(HttpStatus.FORBIDDEN), denied);
            }
            case TooManyTasksException tooMany -> later("overloaded", tooMany.getMessage());
            case TaskTimeoutException late -> later("overloaded", late.getMessage());
            case ContendedException contended -> later("contended", contended.getMessage());
            case TooManyRequestsException tooMany ->
                Problem.response(
                        problem(HttpStatus.TOO_MANY_REQUESTS, "too-many-requests", tooMany), retryAfterSeconds);
            case ViewBehindException behind ->
                Problem.response(problem(HttpStatus.SERVICE_UNAVAILABLE, "view-behind", behind), retryAfterSeconds);
            case UnknownProjectionException unknown ->
                Problem.response(Problem.of(
                        HttpStatus.NOT_FOUND,
                        "projection-unknown",
                        Problem.shown(String.valueOf(unknown.getMessage()))));
            case NotRebuildableException automation -> refused(HttpStatus.CONFLICT, "not-rebuildable", automation);
            case NotSkippableException elsewhere -> refused(HttpStatus.CONFLICT, "not-skippable", elsewhere);
            case NotRetryableException other -> refused(HttpStatus.CONFLICT, "not-retryable", other);
            case UnknownDeadLetterException unknown -> refused(HttpStatus.NOT_FOUND, "dead-letter-unknown", unknown);
            case PublisherUnavailableException away -> later("relay-unavailable", away.getMessage());
            case DataSetConflictException conflict -> refused(HttpStatus.CONFLICT, "data-set-conflict", conflict);
            case InvalidValueException invalid ->
                invalid(List.of(new FieldError(invalid.pointer(), String.valueOf(invalid.getMessage()))));
            case ProblemException refused -> Problem.response(refused.getBody());
            case HttpMessageNotReadableException unreadable ->
                Problem.response(UnreadableBody.problem(unreadable.getCause(), BoundedBody.body(request)));
            case MethodArgumentNotValidException invalid -> invalid(fieldErrors(invalid.getBindingResult()));
            case HandlerMethodValidationException invalid ->
                invalid(invalid.getParameterValidationResults().stream()
                        .flatMap(result -> parameterErrors(result).stream())
                        .toList());
            case TypeMismatchException mismatch -> invalid(List.of(typeError(mismatch)));
            case MissingServletRequestParameterException missing ->
                invalid(List.of(FieldError.ofParameter(missing.getParameterName(), "is required")));
            case ErrorResponse refused -> framework(refused, detail(failure, request));
            default -> unexpected(failure);
        };
    }

    private static ProblemDetail problem(HttpStatus status, String code, Exception failure) {
        return Problem.of(status, code, failure.getMessage());
    }

    private static ResponseEntity<Object> refused(HttpStatus status, String code, Exception failure) {
        return Problem.response(problem(status, code, failure));
    }

    private @Nullable ResponseEntity<Object> storeFailure(EventStoreException failure, @Nullable String key) {
        return switch (failure) {
            case RefusedInputException refused -> refused(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-value", refused);
            case IdempotencyKeyReusedException reused ->
                Problem.response(Problem.of(
                        HttpStatus.UNPROCESSABLE_CONTENT,
                        "idempotency-key-reused",
                        "Idempotency-Key '%s' was used before with another method, path or body: send this request under a new key"
                                .formatted(key)));
            case StoreReplacedException replaced -> refused(HttpStatus.CONFLICT, "store-replaced", replaced);
            case OverloadedException overloaded ->
                later(failure, "overloaded", String.valueOf(overloaded.getMessage()));
            case StoreTimeoutException late -> {
                LOG.warn("Event store time-out: {}", late.toString());
                yield later(failure, "overloaded", String.valueOf(late.getMessage()));
            }
            case StoreUnavailableException unavailable -> unavailable(unavailable);
            case OutcomeUnknownException unknown -> {
                LOG.error("Connection lost during an append, which may have been committed: {}", causes(unknown));
                yield outcomeUnknown(unknown, key);
            }
        };
    }

    private @Nullable ResponseEntity<Object> unavailable(StoreUnavailableException failure) {
        Optional<FailureCategory> category = failure.category();
        if (category.filter(FailureCategory::isMistake).isPresent()) {
            return unexpected(failure);
        }
        LOG.error("Event store unavailable: {}", causes(failure));
        return category.filter(FailureCategory::isLoss).isPresent()
                ? later(failure, "database-unavailable", "The database cannot be reached")
                // Without a category it is no failure of the database: the service is stopping, or the store was
                // replaced.
                : later(
                        failure,
                        "overloaded",
                        category.map(Problems::reason).orElse(String.valueOf(failure.getMessage())));
    }

    private static String reason(FailureCategory category) {
        return switch (category) {
            case TIMEOUT, LOCK_TIMEOUT -> "The database took too long";
            case SERIALIZATION, DEADLOCK -> "The database could not separate the request from others";
            case OUT_OF_RESOURCES -> "The database has no memory, disk space or connection left";
            case CONNECTION, TRANSIENT, CONSTRAINT, SYNTAX, UNKNOWN -> "The database failed";
        };
    }

    private ResponseEntity<Object> later(EventStoreException failure, String code, String reason) {
        ProblemDetail problem = unavailable(code, reason);
        setCategory(problem, failure);
        return Problem.response(problem, retryAfterSeconds);
    }

    private ResponseEntity<Object> later(String code, @Nullable String reason) {
        return Problem.response(unavailable(code, reason), retryAfterSeconds);
    }

    private ProblemDetail unavailable(String code, @Nullable String reason) {
        return Problem.of(
                HttpStatus.SERVICE_UNAVAILABLE,
                code,
                "%s; nothing was changed: send the request again after %s s".formatted(reason, retryAfterSeconds));
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

    private void log(HttpServletRequest request, HttpStatus status, String reason) {
        Object mapping = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        refusals.refused(request.getMethod(), String.valueOf(mapping), status, reason);
    }

    private static ResponseEntity<Object> invalid(List<FieldError> errors) {
        return Problem.response(Problem.invalid(errors));
    }

    private static FieldError typeError(TypeMismatchException mismatch) {
        Class<?> expected = mismatch.getRequiredType();
        return FieldError.ofParameter(
                String.valueOf(mismatch.getPropertyName()),
                "must be " + (expected == null ? "of another type" : UnreadableBody.expected(expected, null)));
    }

    /* If an operation also validates parameters, Spring reports the errors of its body as those of a parameter. */
    private static List<FieldError> parameterErrors(ParameterValidationResult result) {
        return result instanceof ParameterErrors body
                ? fieldErrors(body)
                : result.getResolvableErrors().stream()
                        .map(error -> FieldError.ofParameter(
                                String.valueOf(result.getMethodParameter().getParameterName()),
                                String.valueOf(error.getDefaultMessage())))
                        .toList();
    }

    private static List<FieldError> fieldErrors(Errors body) {
        return body.getFieldErrors().stream()
                .map(error ->
                        new FieldError(Problem.pointer(error.getField()), String.valueOf(error.getDefaultMessage())))
                .toList();
    }

    private static ResponseEntity<Object> framework(ErrorResponse refused, @Nullable String detail) {
        return ResponseEntity.status(refused.getStatusCode())
                .headers(refused.getHeaders())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(Problem.of(refused.getStatusCode(), Problem.code(refused.getStatusCode()), detail));
    }

    /* The texts of the framework are not used, since they differ between versions. */
    private static @Nullable String detail(Exception failure, HttpServletRequest request) {
        return switch (failure) {
            case ErrorResponseException refused -> refused.getBody().getDetail();
            case HttpRequestMethodNotSupportedException refused ->
                "%s is not allowed here; allowed: %s"
                        .formatted(
                                Problem.shown(refused.getMethod()),
                                String.join(
                                        ", ",
                                        Objects.requireNonNullElse(refused.getSupportedMethods(), new String[0])));
            case HttpMediaTypeNotSupportedException refused ->
                "The body must be %s but is %s"
                        .formatted(
                                encoded(refused.getSupportedMediaTypes()),
                                refused.getContentType() == null
                                        ? "of no valid Content-Type"
                                        : Problem.shown(String.valueOf(refused.getContentType())));
            case HttpMediaTypeNotAcceptableException refused ->
                "The answer can be %s, but Accept allows none of these"
                        .formatted(names(refused.getSupportedMediaTypes()));
            case NoResourceFoundException missing -> {
                String path = request.getRequestURI();
                yield "No resource at %s%s"
                        .formatted(
                                Problem.shown(path),
                                path.length() > 1 && path.endsWith("/") ? ": remove the slash at the end" : "");
            }
            default -> null;
        };
    }

    /* JSON is in UTF-8. An operation with further types decides in which encodings it reads them. */
    private static String encoded(List<MediaType> types) {
        return types.stream().allMatch(type -> type.getSubtype().contains("json"))
                ? names(types) + " in UTF-8"
                : names(types);
    }

    private static String names(List<MediaType> types) {
        return types.stream().map(MediaType::toString).collect(Collectors.joining(" or "));
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
