package dev.registrar.security.session;

import jakarta.servlet.http.HttpServletRequest;

/** The paths of a login, and of what has to do with a session. */
public final class ConsolePaths {
    /** Begins the login at the issuer. */
    public static final String LOGIN = "/oauth2/authorization/" + ConsolePaths.REGISTRATION;

    /** Where the issuer sends the browser after the login. */
    public static final String CALLBACK = "/login/oauth2/code/" + ConsolePaths.REGISTRATION;

    /** The login form of the demo login. */
    public static final String FORM_LOGIN = "/console/login";

    /** Takes a form, and ends the session. */
    public static final String LOGOUT = "/console/logout";

    /** The id of the client registration in Spring Boot's settings. */
    static final String REGISTRATION = "registrar";

    static final String FRONT = "/";
    private static final String PAGES = "/console/";
    private static final String ASSETS = "/console/assets/";
    private static final String LIBRARIES = "/webjars/";

    private ConsolePaths() {}

    /** The path of a request within the service, as the browser sent it. */
    public static String of(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length());
    }

    /** Whether a path is one of the console's pages, and not the front page. */
    static boolean isPage(String path) {
        return path.startsWith(PAGES) && !isAsset(path);
    }

    /** Whether a path is that of a script, a style sheet or an image, which are the same for everybody. */
    static boolean isAsset(String path) {
        return path.startsWith(ASSETS) || path.startsWith(LIBRARIES);
    }
}
