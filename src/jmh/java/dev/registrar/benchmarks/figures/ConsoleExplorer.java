package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Template;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long does the server take for a page of the event explorer, in a store of 1,000,000 events? The whole service
 * runs in this process, with requests from one client, one after the other. One store has tens of thousands of tags,
 * the other two tags of 500,000 events each that never meet.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=console-explorer}
 */
final class ConsoleExplorer {
    private static final String EVENTS = "/console/events";
    private static final String FOUND = "<a href=\"/console/events/";
    private static final String ANY = "position";
    private static final String HOT = "tag0=hot%3A1";

    /** The pages, each with its store, its address and what shows that it has its content. */
    enum Page {
        NEWEST("the newest of all", Template.LARGE, EVENTS, FOUND),
        TYPE("of one type", Template.LARGE, EVENTS + "?type0=StudentEnrolledInCourse", FOUND),
        TAG("of one tag, the oldest first", Template.LARGE, EVENTS + "?tag0=course%3Acourse-1&order=oldest", FOUND),
        ITEMS(
                "of three items",
                Template.LARGE,
                EVENTS + "?tag0=course%3Acourse-1&tag1=student%3Astudent-1&type2=CourseDefined",
                FOUND),
        TAG_NAMES("tags completed", Template.LARGE, EVENTS + "/tags?tag0=student%3Astudent-1", "<option"),
        KINDS("kinds of tags completed", Template.LARGE, EVENTS + "/tags?tag0=s", "<option"),
        LAB("a condition in the lab", Template.LARGE, "/console/lab?tag0=course%3Acourse-1&after=0", "Refused: "),
        FREQUENT_TAG("of a tag of 500,000", Template.HOT, EVENTS + "?" + HOT, FOUND),
        TAG_AND_OTHER_TYPE(
                "of a tag of 500,000 and a type that it never has", Template.HOT, EVENTS + "?type0=Other&" + HOT, ANY),
        TWO_FREQUENT_TAGS("of two tags of 500,000 that never meet", Template.HOT, EVENTS + "?tag0=hot%3A2&" + HOT, ANY),
        TWO_FREQUENT_TAGS_FORWARDS(
                "of two tags of 500,000 that never meet, the oldest first",
                Template.HOT,
                EVENTS + "?order=oldest&tag0=hot%3A2&" + HOT,
                ANY);

        private final String words;
        private final Template template;
        private final String address;
        private final String content;

        Page(String words, Template template, String address, String content) {
            this.words = words;
            this.template = template;
            this.address = address;
            this.content = content;
        }

        static List<Page> of(Template template) {
            return Arrays.stream(values())
                    .filter(page -> page.template == template)
                    .toList();
        }

        String words() {
            return words;
        }

        /** The names of the page's readings. */
        List<String> readings() {
            return List.of(reading("p50"), reading("p95"));
        }

        String reading(String percentile) {
            return "%s, %s".formatted(words, percentile);
        }
    }

    private ConsoleExplorer() {}

    /** Takes the name of the template whose pages are measured. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        List<Page> pages = Page.of(Template.valueOf(arguments[0]));
        try (HttpClient client = HttpClient.newHttpClient();
                RunningRegistrar service = new RunningRegistrar(client)) {
            ConsoleCatalogue.awaitViews(service);
            for (Page page : pages) {
                measure(service, page, settings.warmup().convertTo(TimeUnit.NANOSECONDS) / pages.size());
            }
            MeasuringProgram.awaitStart();
            for (Page page : pages) {
                double[] milliseconds =
                        measure(service, page, settings.measure().convertTo(TimeUnit.NANOSECONDS) / pages.size());
                MeasuringProgram.report(page.reading("p50"), milliseconds[milliseconds.length / 2]);
                MeasuringProgram.report(page.reading("p95"), milliseconds[(int) (milliseconds.length * 0.95)]);
            }
        }
    }

    /* Sorted times, in milliseconds. */
    private static double[] measure(RunningRegistrar service, Page page, long nanoseconds) {
        List<Double> times = new ArrayList<>();
        long end = System.nanoTime() + nanoseconds;
        do {
            long started = System.nanoTime();
            String shown = service.send("GET", page.address, "", "", 200);
            times.add((System.nanoTime() - started) / 1e6);
            if (!shown.contains(page.content)) {
                throw new IllegalStateException("%s has not its content: %s".formatted(page, shown));
            }
        } while (System.nanoTime() < end);
        return times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
