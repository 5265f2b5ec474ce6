package dev.registrar.security.session;

/**
 * What a page offers to a visitor where pages need a login: the attribute {@value #ATTRIBUTE} of its request.
 *
 * @param isPossible whether a client registration is configured
 */
public record LoginOffer(boolean isPossible) {
    static final String ATTRIBUTE = "loginOffer";

    /** The path that begins the login. */
    public String path() {
        return ConsolePaths.LOGIN;
    }
}
