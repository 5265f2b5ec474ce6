package dev.registrar.console;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.http.admission.EdgeFilter;
import dev.registrar.http.problem.AnswerHeaders;
import dev.registrar.http.problem.BodyTooLargeException;
import dev.registrar.http.problem.BodyTooSlowException;
import dev.registrar.http.problem.MalformedQueryException;
import dev.registrar.http.problem.TooManyRequestsException;
import dev.registrar.projection.UnknownProjectionException;
import dev.registrar.projection.ViewBehindException;
import dev.registrar.security.session.ConsolePaths;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.stereotype.Component;
import org.springframework.ui.ExtendedModelMap;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;

/**
 * Answers failed requests for pages of the console, and browsers at an unknown path, with a page: what was wrong, and
 * what to do.
 */
@Component
final class ConsoleErrors implements HandlerExceptionResolver, Ordered {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleErrors.class);
    private static final String VIEW = "console/error";

    private final ObjectProvider<ThymeleafViewResolver> views;

    ConsoleErrors(ObjectProvider<ThymeleafViewResolver> views) {
        this.views = views;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /** @param text what was wrong, and what to do */
    record Failure(HttpStatus status, String title, String text) {}

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        boolean isOther = isOther(request, failure);
        if (isOther) {
            response.addHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        }
        boolean isUnknownPage = isOther && acceptsPage(request);
        if (!(isPage(request) || isUnknownPage) || response.isCommitted()) {
            return null;
        }
        try {
            if (isUnknownPage) {
                AnswerHeaders.allowPage(response);
            }
            show(of(failure), failure, request, response);
        } catch (ClientAbortException disconnected) {
            LOG.debug("Browser disconnected before its page was complete", disconnected);
        } catch (Exception broken) {
            broken.addSuppressed(failure);
            LOG.error("The page of an error cannot be shown", broken);
            return null;
        }
        return new ModelAndView();
    }

    /* Whether nothing is at the path, and it belongs neither to the console nor to an API. */
    private static boolean isOther(HttpServletRequest request, Exception failure) {
        return failure instanceof NoResourceFoundException
                && !isPage(request)
                && !AnswerHeaders.isOfData(request.getServletPath());
    }

    /* A person has typed an address into a browser. Programs get the problem as JSON. */
    private static boolean acceptsPage(HttpServletRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        try {
            return accepted != null
                    && MediaType.parseMediaTypes(accepted).stream()
                            .anyMatch(type ->
                                    type.equalsTypeAndSubtype(MediaType.TEXT_HTML) && type.getQualityValue() > 0);
        } catch (InvalidMediaTypeException malformed) {
            return false;
        }
    }

    static boolean isPage(HttpServletRequest request) {
        String path = ConsolePaths.of(request);
        return path.equals("/")
                || path.startsWith("/console/")
                || path.equals("/console")
                || path.equals(ConsolePaths.LOGIN)
                || path.equals(ConsolePaths.CALLBACK);
    }

    private void show(Failure shown, Exception cause, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        if (shown.status() == HttpStatus.INTERNAL_SERVER_ERROR) {
            LOG.error("Unexpected error while making a page", cause);
        }
        ExtendedModelMap model = new ExtendedModelMap();
        ConsolePages.add(model, Visitors.current(request).orElse(null), request);
        model.addAttribute("failure", shown);
        model.addAttribute("correlationId", EdgeFilter.correlationId(request));
        response.resetBuffer();
        response.setStatus(shown.status().value());
        if (cause instanceof ErrorResponse refused) {
            refused.getHeaders().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        }
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        View view = views.getObject().resolveViewName(VIEW, Locale.ENGLISH);
        if (view == null) {
            throw new IllegalStateException("There is no view " + VIEW);
        }
        // Otherwise the path's extension decides on the type.
        request.setAttribute(View.SELECTED_CONTENT_TYPE, MediaType.TEXT_HTML);
        view.render(model, request, response);
    }

    private static Failure of(Exception failure) {
        return switch (failure) {
            case ErrorResponse refused -> refused(refused);
            case TypeMismatchException malformed ->
                new Failure(
                        HttpStatus.BAD_REQUEST,
                        "Not readable",
                        "A value in the address or in the form is not of the kind that the page expects.");
            case AccessDeniedException denied ->
                new Failure(HttpStatus.FORBIDDEN, "Not allowed", "Your role does not allow this.");
            case BodyTooLargeException large ->
                new Failure(HttpStatus.CONTENT_TOO_LARGE, "Too much text", sentence(large));
            case BodyTooSlowException slow -> new Failure(HttpStatus.REQUEST_TIMEOUT, "Too slow", sentence(slow));
            case MalformedQueryException query ->
                new Failure(HttpStatus.BAD_REQUEST, "Malformed address", sentence(query));
            case TooManyRequestsException many ->
                new Failure(HttpStatus.TOO_MANY_REQUESTS, "Too many requests", sentence(many));
            case UnknownProjectionException unknown ->
                new Failure(HttpStatus.NOT_FOUND, "Not found", sentence(unknown));
            case OutcomeUnknownException unknown ->
                new Failure(
                        HttpStatus.GATEWAY_TIMEOUT,
                        "Outcome unknown",
                        "The connection to the database was lost while the change was stored. Check whether it was stored before you try again.");
            case ViewBehindException behind ->
                new Failure(HttpStatus.SERVICE_UNAVAILABLE, "Not up to date", sentence(behind));
            case EventStoreException store -> unavailable();
            case DataAccessException database -> unavailable();
            default ->
                new Failure(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        "Unexpected error",
                        "The page could not be made. The log has an entry with the id below.");
        };
    }

    private static Failure unavailable() {
        return new Failure(
                HttpStatus.SERVICE_UNAVAILABLE,
                "Not available",
                "The database cannot be reached or is overloaded. Nothing was changed: try again in a moment.");
    }

    private static Failure refused(ErrorResponse refused) {
        HttpStatus known = HttpStatus.resolve(refused.getStatusCode().value());
        HttpStatus status = known == null ? HttpStatus.BAD_REQUEST : known;
        String detail = refused.getBody().getDetail();
        return switch (status) {
            case NOT_FOUND ->
                new Failure(
                        status,
                        "Not found",
                        refused instanceof ResponseStatusException missing && missing.getReason() != null
                                ? missing.getReason()
                                : "There is no such page.");
            case FORBIDDEN ->
                new Failure(status, "Not allowed", detail == null ? "Your role does not allow this." : detail);
            case METHOD_NOT_ALLOWED -> new Failure(status, "Not possible", "This page cannot be used in this way.");
            default ->
                new Failure(
                        status, status.getReasonPhrase(), detail == null ? "The request cannot be answered." : detail);
        };
    }

    private static String sentence(Exception failure) {
        return "%s.".formatted(failure.getMessage());
    }
}
