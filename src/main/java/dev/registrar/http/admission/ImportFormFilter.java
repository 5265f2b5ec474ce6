package dev.registrar.http.admission;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Lets the console's import take a multipart form. No other operation takes one, and Tomcat parses none. The filter
 * runs before the caller is known; {@link ImportForm} reads the body when the caller is.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
final class ImportFormFilter extends OncePerRequestFilter {
    private static final PathPattern PATH = PathPatternParser.defaultInstance.parse(Paths.CONSOLE_IMPORT);
    private static final String MULTIPART = "multipart/form-data";

    private final ImportFiles files;

    ImportFormFilter(ImportFiles files) {
        this.files = files;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getMethod().equals("POST")
                || !isMultipart(request.getContentType())
                || !PATH.matches(ServletRequestPathUtils.parse(request).pathWithinApplication());
    }

    private static boolean isMultipart(@Nullable String type) {
        return type != null && type.toLowerCase(Locale.ROOT).startsWith(MULTIPART);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        ImportForm form = new ImportForm(request, response, files);
        try {
            chain.doFilter(form, response);
        } finally {
            form.close();
        }
        if (form.isUnread()) {
            UnreadBody.skip(request, response);
        }
    }
}
