package dev.registrar.security;

/** What a machine client may do with the event store itself. */
public enum Scope {
    READ("dcb:read"),
    APPEND("dcb:append");

    private final String claim;

    Scope(String claim) {
        this.claim = claim;
    }

    /** The scope's name in a token. */
    public String claim() {
        return claim;
    }

    /** The scope as Spring's authority. */
    public String authority() {
        return "SCOPE_" + claim;
    }
}
