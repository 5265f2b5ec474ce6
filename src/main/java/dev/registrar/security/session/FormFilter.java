package dev.registrar.security.session;

import dev.registrar.security.FormBodies;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/** Reads the form of a request before its token is checked. */
final class FormFilter extends OncePerRequestFilter {
    private final FormBodies bodies;

    FormFilter(FormBodies bodies) {
        this.bodies = bodies;
    }

    static boolean isForm(HttpServletRequest request) {
        String type = request.getContentType();
        return request.getMethod().equals("POST")
                && type != null
                && type.toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !isForm(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<HttpServletRequest> form = bodies.read(request, response);
        if (form.isPresent()) {
            chain.doFilter(form.get(), response);
        }
    }
}
