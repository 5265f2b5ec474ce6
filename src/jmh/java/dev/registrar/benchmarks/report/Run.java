package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The results of rows that were measured under the same circumstances.
 *
 * @param circumstances machine, server, settings, {@code at} and {@code commit}, in the order in which the page shows
 *     them; blank facts are dropped
 */
public record Run(Map<String, String> circumstances, List<RowResult> results) {
    public Run {
        Map<String, String> known = new LinkedHashMap<>(circumstances);
        known.values().removeIf(String::isBlank);
        circumstances = Collections.unmodifiableMap(known);
        results = List.copyOf(results);
    }

    String commit() {
        return circumstances.getOrDefault("commit", "unknown");
    }

    /** Returns the kind and version of the server, as in {@code container PostgreSQL 18.6}. */
    String server() {
        return Stream.of(fact("postgresql.kind"), "PostgreSQL", fact("postgresql.server_version"))
                .filter(word -> !word.isEmpty())
                .collect(joining(" "));
    }

    /** Returns a fact; empty if it is not known. */
    String fact(String name) {
        return circumstances.getOrDefault(name, "");
    }

    /** Returns how thoroughly each row was measured. */
    String settings() {
        return Stream.of("warm-up", "iterations", "attempts")
                .filter(name -> !fact(name).isEmpty())
                .map(name -> "%s %s".formatted(name, fact(name)))
                .collect(joining(", "));
    }

    String at() {
        return circumstances.getOrDefault("at", "unknown");
    }

    Run without(Set<RowId> rows) {
        return new Run(
                circumstances,
                results.stream().filter(result -> !rows.contains(result.id())).toList());
    }
}
