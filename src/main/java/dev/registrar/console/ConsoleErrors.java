package dev.registrar.console;

import dev.registrar.http.admission.EdgeFilter;
import dev.registrar.http.failure.Problems;
import dev.registrar.http.problem.AnswerHeaders;
import dev.registrar.security.session.ConsolePaths;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import org.apache.catalina.connector.ClientAbortException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.ui.ExtendedModelMap;
import org.springframework.web.bind.MissingPathVariableException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.servlet.support.RequestContextUtils;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;

/**
 * Answers failed requests for pages of the console, and browsers at an unknown path, with a page of their problem: what
 * was wrong, and what to do.
 */
@Component
final class ConsoleErrors implements HandlerExceptionResolver, Ordered {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleErrors.class);
    private static final String VIEW = "console/error";

    private final Problems problems;
    private final ObjectProvider<ThymeleafViewResolver> views;

    ConsoleErrors(Problems problems, ObjectProvider<ThymeleafViewResolver> views) {
        this.problems = problems;
        this.views = views;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

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
        ResponseEntity<Object> answer = problems.of(shown(failure), request);
        if (answer == null || !(answer.getBody() instanceof ProblemDetail problem)) {
            return new ModelAndView();
        }
        try {
            if (isUnknownPage) {
                AnswerHeaders.allowPage(response);
            }
            show(problem, failure, answer.getHeaders(), request, response);
        } catch (ClientAbortException disconnected) {
            LOG.debug("Browser disconnected before its page was complete", disconnected);
        } catch (Exception broken) {
            broken.addSuppressed(failure);
            LOG.error("The page of an error cannot be shown", broken);
            return null;
        }
        return new ModelAndView();
    }

    private static Exception shown(Exception failure) {
        if (isNoPage(failure)) {
            return new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such page");
        }
        return isCraftedForm(failure)
                ? new ResponseStatusException(
                        HttpStatus.BAD_REQUEST, "The form has a field that its page does not have")
                : failure;
    }

    /* Whether a parameter names the inside of a field, such as title.value, and the domain has refused its value. */
    private static boolean isCraftedForm(Exception failure) {
        return failure instanceof BeanInstantiationException && failure.getCause() instanceof IllegalArgumentException;
    }

    /* Whether nothing is at the path, or a part of it should be an id, and is none. */
    private static boolean isNoPage(Exception failure) {
        return failure instanceof NoResourceFoundException
                // A blank id is read as none.
                || failure instanceof MissingPathVariableException
                || (failure instanceof MethodArgumentTypeMismatchException mismatch
                        && mismatch.getParameter().hasParameterAnnotation(PathVariable.class));
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

    private void show(
            ProblemDetail problem,
            Exception failure,
            HttpHeaders headers,
            HttpServletRequest request,
            HttpServletResponse response)
            throws Exception {
        ExtendedModelMap model = new ExtendedModelMap();
        model.addAllAttributes(RequestContextUtils.getInputFlashMap(request));
        ConsolePages.add(model, Visitors.current(request).orElse(null), request);
        model.addAttribute("problem", problem);
        model.addAttribute("absent", failure instanceof AbsentException absent ? absent : null);
        model.addAttribute("correlationId", EdgeFilter.correlationId(request));
        response.resetBuffer();
        response.setStatus(problem.getStatus());
        headers.forEach((name, values) -> {
            if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
                values.forEach(value -> response.addHeader(name, value));
            }
        });
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        View view = views.getObject().resolveViewName(VIEW, Locale.ENGLISH);
        if (view == null) {
            throw new IllegalStateException("There is no view " + VIEW);
        }
        // Otherwise the path's extension decides on the type.
        request.setAttribute(View.SELECTED_CONTENT_TYPE, MediaType.TEXT_HTML);
        view.render(model, request, response);
    }
}
