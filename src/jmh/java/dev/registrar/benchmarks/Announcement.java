package dev.registrar.benchmarks;

/**
 * Prints the plan of a measuring build. Maven runs this source file at the start of the build, before it compiles the
 * project.
 */
public final class Announcement {
    private Announcement() {}

    /** Takes the lines to print; leaves out those that are blank. */
    public static void main(String[] lines) {
        for (String line : lines) {
            if (!line.isBlank()) {
                System.out.println(line);
            }
        }
    }
}
