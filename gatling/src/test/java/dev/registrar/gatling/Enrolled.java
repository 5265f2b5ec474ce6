package dev.registrar.gatling;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The student and the course of an enrollment. */
record Enrolled(String student, String course) {
    private static final Pattern STUDENT = Pattern.compile("\"student:([^\"]+)\"");
    private static final Pattern COURSE = Pattern.compile("\"course:([^\"]+)\"");
    private static final int ENOUGH = 5_000;

    /** Some enrollments in the service. */
    static List<Enrolled> some(RegistrarUnderLoad service) {
        try (Stream<String> events = service.events("{\"items\": [{\"types\": [\"StudentEnrolledInCourse\"]}]}")) {
            return events.limit(ENOUGH).map(Enrolled::of).toList();
        }
    }

    static Enrolled of(String event) {
        return new Enrolled(first(STUDENT, event), first(COURSE, event));
    }

    private static String first(Pattern pattern, String event) {
        Matcher found = pattern.matcher(event);
        if (!found.find()) {
            throw new IllegalStateException("%s is not in %s".formatted(pattern, event));
        }
        return found.group(1);
    }

    /** The enrollment of a number. Different numbers give different enrollments. */
    static Enrolled distinct(int number, int courses, int students) {
        int student = number % students + 1;
        int course = (number * 31 + number / students) % courses + 1;
        return new Enrolled("student-" + student, "course-" + course);
    }

    static Enrolled oneOf(List<Enrolled> all) {
        return all.get(ThreadLocalRandom.current().nextInt(all.size()));
    }
}
