package dev.registrar.imports;

/** The formats of a file of courses. */
public enum FileFormat {
    /** RFC 4180 with a header: {@code id,title,capacity,opensAt,closesAt}, the first three required, in any order. */
    CSV,
    /** One JSON object per line, with the same fields: the capacity is a number, the others are strings. */
    NDJSON
}
