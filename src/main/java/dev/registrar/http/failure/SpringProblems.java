package dev.registrar.http.failure;

import dev.registrar.http.admission.BoundedBody;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Problem.FieldError;
import dev.registrar.http.problem.ProblemException;
import dev.registrar.http.problem.UnreadableBody;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
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
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Maps what Spring MVC itself refuses, before or instead of a controller, to problem details. */
abstract class SpringProblems extends ResponseEntityExceptionHandler {
    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        byte[] sent = BoundedBody.body(((ServletWebRequest) request).getRequest());
        return Problem.response(UnreadableBody.problem(unreadable.getCause(), sent));
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

    private static ResponseEntity<Object> framework(
            HttpStatusCode status, HttpHeaders headers, @Nullable String detail) {
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

    /* The own refusal of a filter, an operation or a page, which says what is wrong. */
    @Override
    protected ResponseEntity<Object> handleErrorResponseException(
            ErrorResponseException refused, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (refused instanceof ProblemException) {
            return Problem.response(refused.getBody());
        }
        return framework(status, headers, refused.getBody().getDetail());
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
