package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;

/** The context of every request in the mode {@code local}: the actor {@code local} is its caller. */
final class LocalContexts implements SecurityContextRepository {
    private static final CallerAuthentication LOCAL = CallerAuthentication.local();

    @Override
    @Deprecated
    public SecurityContext loadContext(HttpRequestResponseHolder request) {
        return new SecurityContextImpl(LOCAL);
    }

    @Override
    public void saveContext(SecurityContext context, HttpServletRequest request, HttpServletResponse response) {
        // The same for every request.
    }

    @Override
    public boolean containsContext(HttpServletRequest request) {
        return true;
    }
}
