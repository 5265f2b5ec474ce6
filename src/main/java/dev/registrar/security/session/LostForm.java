package dev.registrar.security.session;

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
 * @param page of the form, with the context path
 * @param fields names and values in their order, without the token against forged requests
 */
public record LostForm(String page, Map<String, List<String>> fields) {
    static final String ATTRIBUTE = "lostForm";

    static LostForm of(HttpServletRequest request) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> fields.put(name, List.of(values)));
        fields.remove("_csrf");
        return new LostForm(page(request), fields);
    }

    private static String page(HttpServletRequest request) {
        String context = request.getContextPath();
        try {
            String referer = request.getHeader(HttpHeaders.REFERER);
            URI sender = URI.create(referer == null ? "" : referer);
            String path = sender.getRawPath();
            if (path != null && path.startsWith(context) && ConsolePaths.isPage(path.substring(context.length()))) {
                return path + (sender.getRawQuery() == null ? "" : "?" + sender.getRawQuery());
            }
        } catch (IllegalArgumentException malformed) {
            // As if there were none.
        }
        return context + ConsolePaths.FRONT;
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
