package dev.registrar.benchmarks.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The results of rows that were measured under the same circumstances.
 *
 * @param circumstances machine, server, settings, {@code at} and {@code commit}, in the order in which the page shows
 *     them
 */
public record Run(Map<String, String> circumstances, List<RowResult> results) {
    public Run {
        circumstances = Collections.unmodifiableMap(new LinkedHashMap<>(circumstances));
        results = List.copyOf(results);
    }

    String commit() {
        return circumstances.getOrDefault("commit", "unknown");
    }

    /** Returns the kind and version of the server, as in {@code container PostgreSQL 18.6}. */
    String server() {
        return "%s PostgreSQL %s"
                .formatted(
                        circumstances.getOrDefault("postgresql.kind", "unknown"),
                        circumstances.getOrDefault("postgresql.server_version", "unknown"));
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
