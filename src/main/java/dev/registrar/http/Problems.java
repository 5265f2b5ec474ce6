package dev.registrar.http;

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
import dev.registrar.http.admission.BodyLimitFilter;
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
import dev.registrar.http.problem.UnreadableBody;
import dev.registrar.http.problem.UnreadableBodyException;
import dev.registrar.projection.NotRebuildableException;
import dev.registrar.projection.NotSkippableException;
import dev.registrar.projection.UnknownProjectionException;
import dev.registrar.projection.ViewBehindException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.Errors;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Maps exceptions to problem details, for all controllers. */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {
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

    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        byte[] sent = BodyLimitFilter.body(((ServletWebRequest) request).getRequest());
        return Problem.response(UnreadableBody.problem(unreadable.getCause(), sent));
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

    @Override
    protected ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Class<?> expected = mismatch.getRequiredType();
        return Problem.response(Problem.invalid(List.of(FieldError.ofParameter(
                mismatch instanceof MethodArgumentTypeMismatchException argument
                        ? argument.getName()
                        : String.valueOf(mismatch.getPropertyName()),
                "must be " + (expected == null ? "of another type" : UnreadableBody.expected(expected))))));
    }

    @Override
    protected ResponseEntity<Object> handleMissingServletRequestParameter(
            MissingServletRequestParameterException missing,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return Problem.response(
                Problem.invalid(List.of(FieldError.ofParameter(missing.getParameterName(), "is required"))));
    }

    @Override
    protected ResponseEntity<Object> handleHttpRequestMethodNotSupported(
            HttpRequestMethodNotSupportedException refused,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        String[] allowed = refused.getSupportedMethods();
        return framework(
                status,
                headers,
                "%s is not allowed here; allowed: %s"
                        .formatted(refused.getMethod(), allowed == null ? "nothing" : String.join(", ", allowed)));
    }

    @Override
    protected ResponseEntity<Object> handleHttpMediaTypeNotSupported(
            HttpMediaTypeNotSupportedException refused,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        HttpHeaders own = new HttpHeaders(headers);
        List<MediaType> supported = refused.getSupportedMediaTypes();
        own.setAccept(supported);
        return framework(
                status,
                own,
                "The body must be %s, in UTF-8, but is %s"
                        .formatted(
                                supported.stream().map(MediaType::toString).collect(Collectors.joining(" or ")),
                                refused.getContentType() == null
                                        ? "of no valid Content-Type"
                                        : refused.getContentType()));
    }

    @Override
    protected ResponseEntity<Object> handleHttpMediaTypeNotAcceptable(
            HttpMediaTypeNotAcceptableException refused,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return framework(
                status,
                headers,
                "The answer can be %s, but Accept allows none of these"
                        .formatted(refused.getSupportedMediaTypes().stream()
                                .map(MediaType::toString)
                                .collect(Collectors.joining(" or "))));
    }

    @Override
    protected ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException missing, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String path = ((ServletWebRequest) request).getRequest().getRequestURI();
        return framework(
                status,
                headers,
                path.length() > 1 && path.endsWith("/")
                        ? "No resource at %s: remove the slash at the end".formatted(path)
                        : "No resource at %s".formatted(path));
    }

    private static ResponseEntity<Object> framework(HttpStatusCode status, HttpHeaders headers, String detail) {
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(Problem.of(status, Problem.code(status), detail));
    }

    @Override
    protected ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return Problem.response(Problem.invalid(fieldErrors(invalid.getBindingResult())));
    }

    @Override
    protected ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return Problem.response(Problem.invalid(invalid.getParameterValidationResults().stream()
                .flatMap(result -> parameterErrors(result).stream())
                .toList()));
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

    /* A filter's own refusal, which says what is wrong. */
    @Override
    protected ResponseEntity<Object> handleErrorResponseException(
            ErrorResponseException refused, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return framework(status, headers, String.valueOf(refused.getBody().getDetail()));
    }

    /* The texts of the framework are not used, since they differ between versions. The status is enough. */
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception refused, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String detail = body instanceof ProblemDetail given ? given.getDetail() : null;
        HttpHeaders own = new HttpHeaders(headers);
        own.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return super.handleExceptionInternal(
                refused, Problem.of(status, Problem.code(status), detail), own, status, request);
    }
}
