package dev.registrar.benchmarks.figures;

import java.util.ArrayList;
import java.util.List;

/** All figures, row by row, and the trials that measure them. */
final class AllFigures {
    static final String PER_SECOND = "/s";

    private AllFigures() {}

    static List<Rotation> rotations(RunSettings settings) {
        List<Rotation> rotations = new ArrayList<>();
        rotations.addAll(WriteFigures.rotations());
        rotations.addAll(LargeStoreFigures.rotations(settings));
        rotations.addAll(ReadFigures.rotations());
        rotations.addAll(ServiceFigures.rotations());
        rotations.addAll(ViewFigures.rotations());
        rotations.addAll(ConsoleFigures.rotations());
        return rotations;
    }

    /** The number of callers as part of an id. */
    static String hyphenated(int callers) {
        return callers == 1 ? "1-caller" : callers + "-callers";
    }

    /** The number of callers in words. */
    static String counted(int callers) {
        return callers == 1 ? "1 caller" : callers + " callers";
    }
}
