package dev.registrar.security.session;

import jakarta.servlet.http.HttpServletRequest;

/** The page of the console that a person wanted to see before the login. */
final class WantedPage {
    private static final String ATTRIBUTE = WantedPage.class.getName();
    private static final int MAX_LENGTH = 2_000;

    private WantedPage() {}

    static void remember(HttpServletRequest request) {
        String query = request.getQueryString();
        String page = ConsolePaths.of(request) + (query == null ? "" : "?" + query);
        if (ConsolePaths.isPage(page) && page.length() <= MAX_LENGTH) {
            request.getSession().setAttribute(ATTRIBUTE, page);
        }
    }

    /** Where the person goes after the login: path and query within the service, and never another origin. */
    static String take(HttpServletRequest request) {
        Object page = request.getSession().getAttribute(ATTRIBUTE);
        request.getSession().removeAttribute(ATTRIBUTE);
        return page instanceof String known ? known : ConsolePaths.FRONT;
    }
}
