package dev.registrar.benchmarks;

import org.openjdk.jmh.runner.options.TimeValue;

/** The settings of a program: system properties, of which Maven sets those to blank that the user has not given. */
public final class Setting {
    private Setting() {}

    /** Returns a time such as {@code 500ms}. */
    public static TimeValue time(String name, String otherwise) {
        String given = System.getProperty(name, "");
        return TimeValue.fromString(given.isBlank() ? otherwise : given);
    }

    /** Returns the arguments of a program, of which Maven makes one. */
    public static String[] separate(String... arguments) {
        return String.join(" ", arguments).trim().split("\\s+");
    }
}
