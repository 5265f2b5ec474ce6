package dev.registrar.http.admission;

/** The paths whose requests have limits of their own. */
public final class Paths {
    /** The store's own API. */
    public static final String DCB = "/dcb";

    /** The same store, for clients of go-crablet. */
    public static final String GO_CRABLET = "/go-crablet";

    /** The import of a file of courses, whose body may be larger than others. */
    public static final String IMPORTS = "/api/courses/import";

    /** The same import in the console: the only form that may be multipart. */
    public static final String CONSOLE_IMPORT = "/console/office/import";

    private Paths() {}
}
