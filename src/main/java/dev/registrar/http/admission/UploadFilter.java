package dev.registrar.http.admission;

import dev.registrar.eventstore.OverloadedException;
import dev.registrar.imports.ImportSettings;
import dev.registrar.security.Role;
import jakarta.servlet.FilterChain;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.multipart.support.StandardMultipartHttpServletRequest;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Reads the one multipart form of the service, the console's import. The filter is in the security chain, between the
 * session and the check of the form's token: the caller is known, and the token is a part of the form.
 */
final class UploadFilter extends OncePerRequestFilter {
    private static final String SERVLET = "uploads";
    private static final String MULTIPART = "multipart/form-data";

    private final BoundedBody.Limits limits;
    private final EarlyRefusals refusals;
    private final String maxSize;

    UploadFilter(BoundedBody.Limits limits, EarlyRefusals refusals, ImportSettings settings) {
        this.limits = limits;
        this.refusals = refusals;
        this.maxSize = settings.shownMaxFileSize();
    }

    @Configuration(proxyBeanMethods = false)
    static class Uploads {
        @Bean
        Customizer<HttpSecurity> uploads(BoundedBody.Limits limits, EarlyRefusals refusals, ImportSettings settings) {
            UploadFilter filter = new UploadFilter(limits, refusals, settings);
            // Of the same order as the check of the token, and added first: it is directly in front of that.
            return http -> http.addFilterAt(filter, CsrfFilter.class);
        }

        /* A servlet of its own: Tomcat parses multipart forms for a servlet, and no other path may have one. */
        @Bean
        ServletRegistrationBean<DispatcherServlet> uploadServlet(
                WebApplicationContext service, ImportSettings settings) {
            ServletRegistrationBean<DispatcherServlet> uploads =
                    new ServletRegistrationBean<>(new DispatcherServlet(service), Paths.CONSOLE_IMPORT);
            uploads.setName(SERVLET);
            int file = Math.toIntExact(settings.maxFileSize().toBytes());
            // In memory, none of it on disk. A form that is announced as too large is refused unread, and a browser
            // that still sends may then lose the answer: so only one that is far too large is.
            uploads.setMultipartConfig(new MultipartConfigElement("", file, 2L * file, file));
            return uploads;
        }
    }

    /**
     * Whether the server would read the request's body at the first access to a parameter: the servlet decides, of any
     * method and spelling of its path, since the server chooses it before the path is checked.
     */
    static boolean isUpload(HttpServletRequest request) {
        return isMultipart(request.getContentType())
                && SERVLET.equals(request.getHttpServletMapping().getServletName());
    }

    private static boolean isMultipart(@Nullable String type) {
        return type != null && type.toLowerCase(Locale.ROOT).startsWith(MULTIPART);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !isUpload(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!isOfCourseOffice()) {
            refuse(
                    request,
                    response,
                    HttpStatus.FORBIDDEN,
                    "Log in as a person of the course office, and send the file again.");
            return;
        }
        Runnable place;
        try {
            place = limits.enterFile();
        } catch (OverloadedException full) {
            refuse(
                    request,
                    response,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "Other files are arriving at the moment. Send the file again soon.");
            return;
        }
        try {
            StandardMultipartHttpServletRequest form = parsed(request, response);
            if (form != null) {
                chain.doFilter(form, response);
            }
        } finally {
            place.run();
        }
    }

    private static boolean isOfCourseOffice() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller != null
                && caller.getAuthorities().stream()
                        .anyMatch(granted -> Role.COURSE_OFFICE.authority().equals(granted.getAuthority()));
    }

    /* Null if the form is refused, and answered. */
    private @Nullable StandardMultipartHttpServletRequest parsed(
            HttpServletRequest request, HttpServletResponse response) {
        try {
            return new StandardMultipartHttpServletRequest(request);
        } catch (MaxUploadSizeExceededException large) {
            refuse(
                    request,
                    response,
                    HttpStatus.CONTENT_TOO_LARGE,
                    "The file is larger than %s. Split it, and send the parts one after another.".formatted(maxSize));
        } catch (MultipartException broken) {
            // The server itself answers a form that stops arriving.
            if (!(broken.getMostSpecificCause() instanceof SocketTimeoutException)) {
                refuse(request, response, HttpStatus.BAD_REQUEST, "The form did not arrive as a whole. Send it again.");
            }
        }
        return null;
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, HttpStatus status, String reason) {
        refusals.refuse(request, response, status, "Nothing was imported. " + reason);
    }
}
