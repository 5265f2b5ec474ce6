package dev.registrar.imports;

/** The formats of a file of courses. */
public enum FileFormat {
    /**
     * CSV with a header: {@code id,title,capacity,opensAt,closesAt,prerequisites}, the first three required, in any
     * order; RFC 4180, or as spreadsheets and data frames write it.
     */
    CSV,
    /** One JSON object per line, with the same fields: the capacity is a number, the others are strings. */
    NDJSON
}
