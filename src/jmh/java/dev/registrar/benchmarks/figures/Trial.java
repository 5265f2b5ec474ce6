package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.PreparedDatabases;
import java.util.List;
import java.util.Map;

/** A measurement on a fresh database, in a separate process. */
interface Trial {

    /** The names of its readings, each one number. */
    List<String> readings();

    /**
     * Measures once.
     *
     * @return the value of each reading
     * @throws IllegalStateException if the measurement failed
     */
    Map<String, Double> run(PreparedDatabases databases, RunSettings settings);
}
