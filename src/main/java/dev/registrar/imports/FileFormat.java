package dev.registrar.imports;

/** In which form a file of courses comes. */
public enum FileFormat {
    /** RFC 4180 with a header: {@code id,title,capacity,opensAt,closesAt}, the first three required, in any order. */
    CSV,
    /** A JSON object a line, with the same fields: the capacity a number, the others text. */
    NDJSON
}
