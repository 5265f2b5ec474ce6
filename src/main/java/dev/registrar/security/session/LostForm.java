package dev.registrar.security.session;

import dev.registrar.security.ConsoleAccess;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpHeaders;

/**
 * A form that was not carried out, since its session has ended or its token is not that of the session. The answer
 * shows its input, which is kept nowhere at the server: the attribute {@value #ATTRIBUTE} of the request.
 *
 * @param reason a sentence that says why
 * @param page of the form, with the context path
 * @param fields names and values in their order, without the token against forged requests
 */
public record LostForm(String reason, String page, Map<String, List<String>> fields) {
    static final String ATTRIBUTE = "lostForm";

    static LostForm of(String reason, HttpServletRequest request) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> fields.put(name, List.of(values)));
        fields.remove("_csrf");
        return new LostForm(reason, page(request), fields);
    }

    private static String page(HttpServletRequest request) {
        String context = request.getContextPath();
        try {
            String referer = request.getHeader(HttpHeaders.REFERER);
            URI sender = URI.create(referer == null ? "" : referer);
            String path = sender.getRawPath();
            if (path != null && path.startsWith(context + "/")) {
                String page = context + page(path.substring(context.length()), ConsolePaths.of(request));
                boolean hasQuery = page.equals(path) && sender.getRawQuery() != null;
                return hasQuery ? page + "?" + sender.getRawQuery() : page;
            }
        } catch (IllegalArgumentException malformed) {
            // As if there were none.
        }
        return context + ConsolePaths.FRONT;
    }

    /*
     * The page that a browser can open: below the address of a form's own page there may be another one with this form,
     * such as the report of an import, which has it for its session only. A page that answered a form is at an address
     * that takes forms only, below that of the page.
     */
    private static String page(String sender, String form) {
        String page = sender.startsWith(form + "/") && ConsoleAccess.isPage(form) ? form : sender;
        while (!page.isEmpty() && !ConsoleAccess.isPage(page)) {
            page = page.substring(0, page.lastIndexOf('/'));
        }
        return page.isEmpty() ? ConsolePaths.FRONT : page;
    }

    /*
     * A page of another origin could otherwise have its input shown as if the person had typed it. Browsers send one of
     * these headers with every form.
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
}
