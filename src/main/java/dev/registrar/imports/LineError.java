package dev.registrar.imports;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one line of a file.
 *
 * @param line counted from 1, a file's header included
 * @param field the field at fault; null if it is the whole line
 */
public record LineError(long line, @Nullable String field, String detail) {}
