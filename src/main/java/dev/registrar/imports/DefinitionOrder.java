package dev.registrar.imports;

import dev.registrar.enrollment.CourseId;
import dev.registrar.imports.CourseFile.CourseLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The order in which the courses of a file are defined: each course follows its prerequisites in the file. */
final class DefinitionOrder {
    private DefinitionOrder() {}

    /**
     * The courses in rounds, each in the order of its lines. A course's prerequisites in the file are in earlier
     * rounds. Courses of a cycle, and courses that require them, are in no round.
     */
    static List<List<CourseLine>> rounds(List<CourseLine> courses) {
        Map<CourseId, Entry> entries = new LinkedHashMap<>();
        courses.forEach(line -> entries.put(line.command().course(), new Entry(line)));
        entries.values()
                .forEach(entry -> entry.line.command().prerequisites().courses().stream()
                        .flatMap(prerequisite -> Stream.ofNullable(entries.get(prerequisite)))
                        .forEach(prerequisite -> {
                            prerequisite.dependents.add(entry);
                            entry.missing++;
                        }));
        List<List<CourseLine>> rounds = new ArrayList<>();
        List<Entry> ready =
                entries.values().stream().filter(entry -> entry.missing == 0).toList();
        while (!ready.isEmpty()) {
            rounds.add(ready.stream().map(entry -> entry.line).toList());
            ready = ready.stream()
                    .flatMap(entry -> entry.dependents.stream())
                    .filter(dependent -> --dependent.missing == 0)
                    .sorted(Comparator.comparingLong(dependent -> dependent.line.number()))
                    .toList();
        }
        return rounds;
    }

    /** A course of the file. */
    private static final class Entry {
        private final CourseLine line;
        private final List<Entry> dependents = new ArrayList<>();

        /** Number of prerequisites in the file that are not in a round yet. */
        private int missing;

        private Entry(CourseLine line) {
            this.line = line;
        }
    }
}
