package dev.registrar.benchmarks.figures;

import org.jspecify.annotations.Nullable;

/**
 * One figure to reach.
 *
 * @param id begins with its row in the list of figures; the command line chooses by it
 * @param what is measured, in words
 * @param subject the reading that the figure is about
 * @param yardstick the reading of the same round that the subject is divided by; null if the subject stands for itself
 * @param unit of both readings
 */
record Figure(
        String id, String what, String subject, @Nullable String yardstick, String unit, Bar bar) {

    boolean needs(String reading) {
        return reading.equals(subject) || reading.equals(yardstick);
    }
}
