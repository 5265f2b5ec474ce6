package dev.registrar.security.session;

import dev.registrar.security.FormBodies;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/** Reads the form of a request before its token is checked. */
public final class FormFilter extends OncePerRequestFilter {
    /** The attribute of a request with its form's fields. */
    static final String FORM = FormFilter.class.getName();

    private final FormBodies bodies;

    public FormFilter(FormBodies bodies) {
        this.bodies = bodies;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String type = request.getContentType();
        return !request.getMethod().equals("POST")
                || type == null
                || !type.toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<FormBodies.Form> form = bodies.read(request, response);
        if (form.isPresent()) {
            request.setAttribute(FORM, form.get().fields());
            chain.doFilter(form.get().request(), response);
        }
    }

    /** The fields of the request's form; none if it has no form. */
    @SuppressWarnings("unchecked") // only this filter sets the attribute
    static Map<String, List<String>> fields(HttpServletRequest request) {
        return request.getAttribute(FORM) instanceof Map<?, ?> fields ? (Map<String, List<String>>) fields : Map.of();
    }
}
