package dev.registrar.security.session;

import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.RefusalLog;
import dev.registrar.security.RefusedRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.ErrorResponseException;

/**
 * Answers forms that are not carried out, since their session has ended or their token is not that of the session. What
 * the person has typed is kept, and shown on the page {@link ConsolePaths#AGAIN}.
 */
final class LostForms {
    /** Marks a form that the page with the kept input has sent. */
    static final String SENT_AGAIN = "_again";

    private static final String AREA = "console";
    private static final Set<String> NOT_KEPT = Set.of("_csrf", SENT_AGAIN);
    private static final int MAX_ACTION = 2_000;

    private final RefusedRequests answers;
    private final RefusalLog log;

    LostForms(RefusedRequests answers, RefusalLog log) {
        this.answers = answers;
        this.log = log;
    }

    void answer(HttpServletRequest request, HttpServletResponse response) {
        boolean loggedIn = SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                && !known.getPrincipal().isLocal();
        String path = ConsolePaths.of(request);
        if (path.equals(ConsolePaths.LOGOUT) && !loggedIn && isOfOwnPage(request)) {
            redirect(ConsolePaths.FRONT, request, response);
        } else if (isForm(request) && !path.equals(ConsolePaths.LOGOUT) && isOfOwnPage(request) && kept(request)) {
            log.refused(request.getMethod(), AREA, HttpStatus.SEE_OTHER, "form-kept");
            redirect(ConsolePaths.AGAIN, request, response);
        } else {
            ErrorResponseException refused = new ErrorResponseException(HttpStatus.FORBIDDEN);
            refused.setDetail(
                    "Nothing was changed: the form was not sent from a page of this console, or the page was open for too long. Open the page again.");
            log.refused(request.getMethod(), AREA, HttpStatus.FORBIDDEN, "no-form-token");
            answers.answer(request, response, refused);
        }
    }

    private static boolean isForm(HttpServletRequest request) {
        return request.getMethod().equals("POST")
                && request.getAttribute(FormFilter.FORM) != null
                && ConsolePaths.isPage(ConsolePaths.of(request));
    }

    /*
     * A page of another origin could otherwise have its input shown as if the person had typed it, and a session begun by
     * its form would replace the person's own. Browsers send one of these headers with every form.
     */
    static boolean isOfOwnPage(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        String host = request.getHeader(HttpHeaders.HOST);
        return origin != null
                && host != null
                && (origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host));
    }

    private static boolean kept(HttpServletRequest request) {
        String query = request.getQueryString();
        String action = ConsolePaths.of(request) + (query == null ? "" : "?" + query);
        if (action.length() > MAX_ACTION) {
            return false;
        }
        List<KeptForm.Field> fields = new ArrayList<>();
        FormFilter.fields(request).forEach((name, values) -> {
            if (!NOT_KEPT.contains(name)) {
                values.forEach(value -> fields.add(new KeptForm.Field(name, value)));
            }
        });
        @Nullable String person = KnownPerson.of(request);
        // The session may end meanwhile; the second one is new.
        for (int attempt = 0; attempt < 2; attempt++) {
            if (new KeptForm(request.getRemoteAddr(), action, fields, person).keepIn(request.getSession())) {
                return true;
            }
        }
        return false;
    }

    /* The browser gets the next page with GET. The script of the pages follows a header of its own. */
    private static void redirect(String path, HttpServletRequest request, HttpServletResponse response) {
        String target = request.getContextPath() + path;
        if (request.getHeader("HX-Request") != null) {
            response.setStatus(HttpStatus.FORBIDDEN.value());
            response.setHeader("HX-Redirect", target);
        } else {
            response.setStatus(HttpStatus.SEE_OTHER.value());
            response.setHeader(HttpHeaders.LOCATION, target);
        }
    }
}
