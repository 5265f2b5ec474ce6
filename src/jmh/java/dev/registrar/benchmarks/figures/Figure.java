package dev.registrar.benchmarks.figures;

import org.jspecify.annotations.Nullable;

/**
 * A figure with its target.
 *
 * @param id begins with the figure's row in the list of figures; the command line selects by it
 * @param what the figure measures, in words
 * @param subject the name of the reading that the figure is about
 * @param baseline the name of the reading of the same round by which the subject is divided; null if there is none
 * @param unit of both readings
 */
record Figure(
        String id, String what, String subject, @Nullable String baseline, String unit, Bar bar) {

    boolean needs(String reading) {
        return reading.equals(subject) || reading.equals(baseline);
    }
}
