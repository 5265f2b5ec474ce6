package dev.registrar.console;

import dev.registrar.security.ConsoleAccess;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses pages of other roles to a person who has chosen one in the mode {@code local}, so that the console is as it
 * will be for this role with an issuer. It protects nothing: the person may choose another role.
 */
final class ChosenRole implements HandlerInterceptor {
    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Visitors.current(request).filter(Visitor::isLocal).ifPresent(visitor -> {
            if (!ConsoleAccess.allows(visitor.roles(), request)) {
                throw new ResponseStatusException(
                        HttpStatus.FORBIDDEN,
                        "The role that you have chosen does not have this page. Choose another role, or all of them, with the link 'Change' at the top.");
            }
        });
        return true;
    }
}
