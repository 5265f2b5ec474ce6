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
    /** The facts in which the runs of the suite at one commit, on one machine, may differ. */
    private static final Set<String> OF_ONE_RUN = Set.of("at", "warm-up", "iterations", "attempts");

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

    /** Returns whether the other run measured the same commit with the same machine, Java and server. */
    boolean isBeside(Run other) {
        return withoutOwnFacts().equals(other.withoutOwnFacts());
    }

    private Map<String, String> withoutOwnFacts() {
        Map<String, String> facts = new LinkedHashMap<>(circumstances);
        facts.keySet().removeAll(OF_ONE_RUN);
        return facts;
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
