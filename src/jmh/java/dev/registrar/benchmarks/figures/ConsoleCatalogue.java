package dev.registrar.benchmarks.figures;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/**
 * How long does the server take for a page of the catalogue of 16,000 courses, for a student with courses? The whole
 * service runs in this process, with a browser's requests from one client, one after the other.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=console-catalogue}
 */
final class ConsoleCatalogue {
    /** The pages, each with its path. */
    enum Page {
        FIRST("the first page", ""),
        SEARCH("a search in the titles", "?search=7"),
        FILTER("free seats, most first", "?filter=open&sort=seats"),
        SECOND("the second page of a search by popularity", "?search=1&sort=popularity");

        private final String words;
        private final String query;

        Page(String words, String query) {
            this.words = words;
            this.query = query;
        }

        String words() {
            return words;
        }
    }

    private static final String STUDENT = "student-1";
    private static final String PATH = "/console/courses";
    private static final String ROW = "<th scope=\"row\"";
    private static final String NEXT = "rel=\"next\" href=\"";
    private static final Duration VIEWS_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final JsonMapper JSON = JsonMapper.shared();

    private ConsoleCatalogue() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        try (HttpClient client = HttpClient.newHttpClient();
                RunningRegistrar service = new RunningRegistrar(client)) {
            awaitViews(service);
            Map<Page, String> addresses = new EnumMap<>(Page.class);
            for (Page page : Page.values()) {
                String first = PATH + page.query;
                addresses.put(page, page == Page.SECOND ? next(open(service, first)) : first);
            }
            for (String address : addresses.values()) {
                measure(service, address, settings.warmup().convertTo(TimeUnit.NANOSECONDS) / addresses.size());
            }
            MeasuringProgram.awaitStart();
            for (Map.Entry<Page, String> page : addresses.entrySet()) {
                double[] milliseconds =
                        measure(service, page.getValue(), settings.measure().convertTo(TimeUnit.NANOSECONDS));
                MeasuringProgram.report(page.getKey().words(), milliseconds[(int) (milliseconds.length * 0.99)]);
            }
        }
    }

    /** Waits until the views have seen all events, which takes time from every other work. */
    static void awaitViews(RunningRegistrar service) throws InterruptedException {
        long end = System.nanoTime() + VIEWS_TIMEOUT.toNanos();
        while (isBehind(service)) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The views have not seen all events after " + VIEWS_TIMEOUT);
            }
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
    }

    private static boolean isBehind(RunningRegistrar service) {
        for (var projection : JSON.readTree(service.send("GET", "/api/admin/projections", "", "", 200))
                .path("projections")) {
            if (projection.path("lagEvents").asLong() > 0) {
                return true;
            }
        }
        return false;
    }

    private static String open(RunningRegistrar service, String address) {
        String student =
                Base64.getUrlEncoder().withoutPadding().encodeToString(STUDENT.getBytes(StandardCharsets.UTF_8));
        String page = service.send("GET", address, "", "", 200, "Cookie", "registrar-role=student." + student);
        if (!page.contains(ROW) || !page.contains("You are ")) {
            throw new IllegalStateException("%s shows no course, or no student: %s".formatted(address, page));
        }
        return page;
    }

    private static String next(String page) {
        int begin = page.indexOf(NEXT);
        if (begin < 0) {
            throw new IllegalStateException("There is no next page");
        }
        int address = begin + NEXT.length();
        return page.substring(address, page.indexOf('"', address)).replace("&amp;", "&");
    }

    /* Sorted times, in milliseconds. */
    private static double[] measure(RunningRegistrar service, String address, long nanoseconds) {
        List<Double> times = new ArrayList<>();
        long end = System.nanoTime() + nanoseconds;
        do {
            long started = System.nanoTime();
            open(service, address);
            times.add((System.nanoTime() - started) / 1e6);
        } while (System.nanoTime() < end);
        return times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
