package dev.registrar.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * The status of a page that shows a form again: 422 if its content is invalid, and 409 if the domain has refused its
 * command. In the second case the model has {@code isRefused}, {@code reference}, its
 * {@link ConsoleCommands#reference}, and {@code clashesWith}, its {@link ConsoleCommands#clashesWith}.
 */
final class FormStatus implements HandlerInterceptor {
    /** The prefix of the code of an error with which the domain has refused a command. */
    static final String REFUSED = "refused.";

    @Override
    public void postHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable ModelAndView page) {
        if (page == null || response.getStatus() != HttpStatus.OK.value()) {
            return;
        }
        for (Object attribute : page.getModel().values()) {
            if (attribute instanceof BindingResult form && form.hasErrors()) {
                boolean isRefused = form.getFieldErrors().stream()
                        .map(FieldError::getCode)
                        .allMatch(code -> code != null && code.startsWith(REFUSED));
                page.addObject("isRefused", isRefused);
                page.addObject("reference", ConsoleCommands.reference(request));
                page.addObject("clashesWith", ConsoleCommands.clashesWith(request));
                response.setStatus((isRefused ? HttpStatus.CONFLICT : HttpStatus.UNPROCESSABLE_CONTENT).value());
                return;
            }
        }
    }
}
