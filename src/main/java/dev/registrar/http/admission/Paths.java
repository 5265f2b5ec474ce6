package dev.registrar.http.admission;

/** The paths for which admission makes an exception. */
public final class Paths {
    /** The store's own API. */
    public static final String DCB = "/dcb";

    /** Takes a file of courses: its body may be larger than others. */
    public static final String IMPORTS = "/api/courses/import";

    private Paths() {}
}
