package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.PreparedDatabases;
import java.util.List;
import java.util.Map;

/** One measurement on a fresh database, in a process of its own. */
interface Trial {

    /** The names of what it yields, each one number. */
    List<String> readings();

    /**
     * Measures once.
     *
     * @return a number for each of the readings
     * @throws IllegalStateException if anything went wrong: what failed is no measurement
     */
    Map<String, Double> run(PreparedDatabases databases, RunSettings settings);
}
