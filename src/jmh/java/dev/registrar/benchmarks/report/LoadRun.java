package dev.registrar.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The last run of a simulation.
 *
 * @param folder the name of the folder of Gatling's report, in the folder of all results
 * @param facts the file that the simulation wrote on its run
 * @param total statistics of all requests
 * @param requests statistics of each kind of request
 */
record LoadRun(String simulation, String folder, JsonNode facts, Requests total, List<Requests> requests) {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** The rows of the table of statistics in Gatling's report, the total first. Gatling's log has a private format. */
    private static final Pattern ROW = Pattern.compile("<tr id=\"(ROOT|req_[^\"]*)\".*?</tr>", Pattern.DOTALL);

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Pattern NAME = Pattern.compile("class=\"ellipsed-name\">([^<]*)<");
    private static final Pattern CELL = Pattern.compile("<td class=\"value [a-z]+ col-\\d+\">([^<]*)</td>");
    /**
     * Total, OK, failed, percentage failed, rate, minimum, 50th, 75th, 95th, 99th percentile, maximum, mean, deviation.
     */
    private static final int COLUMNS = 13;

    /** Statistics of requests: counts, rate and response times. */
    record Requests(
            String name,
            long count,
            long failed,
            double perSecond,
            double meanMillis,
            long medianMillis,
            long p95Millis,
            long p99Millis) {

        /* Gatling's percentiles are 50, 75, 95 and 99 by default. */
        static Requests of(String row) {
            List<Double> values = new ArrayList<>();
            Matcher cells = CELL.matcher(row);
            while (cells.find()) {
                values.add(value(cells.group(1)));
            }
            Matcher name = NAME.matcher(row);
            if (!name.find() || values.size() != COLUMNS) {
                throw new IllegalArgumentException("Not a row of Gatling's table of statistics: " + row);
            }
            return new Requests(
                    HtmlUtils.htmlUnescape(name.group(1)),
                    values.get(0).longValue(),
                    values.get(2).longValue(),
                    values.get(4),
                    values.get(11),
                    values.get(6).longValue(),
                    values.get(8).longValue(),
                    values.get(9).longValue());
        }

        /* Gatling's rate includes the seconds of the warm-up. */
        Requests within(double seconds) {
            double rate = seconds > 0 ? count / seconds : perSecond;
            return new Requests(name, count, failed, rate, meanMillis, medianMillis, p95Millis, p99Millis);
        }

        /* Gatling writes nothing or a hyphen where there were no requests. */
        private static double value(String text) {
            return text.isBlank() || text.equals("-") ? 0 : Double.parseDouble(text.replace(",", ""));
        }
    }

    /** Returns the last run of each simulation under each profile in a folder, by name. */
    static List<LoadRun> below(Path results) throws IOException {
        try (Stream<Path> files = Files.list(results)) {
            List<Path> all = files.sorted().toList();
            List<LoadRun> runs = new ArrayList<>();
            for (Path file : all) {
                if (file.getFileName().toString().endsWith(".json")) {
                    JsonNode facts = JSON.readTree(file);
                    folder(facts, all).ifPresent(folder -> runs.add(of(facts, folder)));
                }
            }
            return runs;
        }
    }

    /* Gatling names the folder after the simulation and the start of the load, which follows the preparation. */
    private static Optional<Path> folder(JsonNode facts, List<Path> all) {
        String prefix = facts.path("simulation").asString().toLowerCase(Locale.ROOT) + "-";
        String begun = prefix + STAMP.format(Instant.parse(facts.path("begun").asString()));
        return all.stream()
                .filter(folder -> folder.getFileName().toString().startsWith(prefix))
                .filter(folder -> folder.getFileName().toString().compareTo(begun) >= 0)
                .filter(folder -> Files.exists(page(folder)))
                .min(Comparator.naturalOrder());
    }

    private static Path page(Path folder) {
        return folder.resolve("index.html");
    }

    private static LoadRun of(JsonNode facts, Path folder) {
        List<Requests> requests = new ArrayList<>();
        Matcher rows = ROW.matcher(text(page(folder)));
        while (rows.find()) {
            requests.add(Requests.of(rows.group()));
        }
        return new LoadRun(
                facts.path("simulation").asString(),
                folder.getFileName().toString(),
                facts,
                requests.removeFirst().within(facts.path("secondsOfLoad").asDouble(0)),
                requests);
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the kind of its database server: embedded, container or external. */
    String server() {
        return facts.path("server").asString("unknown");
    }

    /** Returns a fact about the run; empty if it is not known. */
    String fact(String name) {
        return facts.path(name).asString("");
    }

    /** Returns the number of processors in words; empty if it is not known. */
    String machine() {
        String processors = fact("processors");
        return processors.isEmpty() ? "" : processors + (processors.equals("1") ? " processor" : " processors");
    }

    /** Whether other requests warmed the service up before those that count. */
    boolean isWarmedUp() {
        return facts.path("warmedUp").asBoolean(false);
    }

    boolean isOfSame(LoadRun other) {
        return simulation.equals(other.simulation) && profile().equals(other.profile());
    }

    String profile() {
        return facts.path("profile").asString();
    }

    /**
     * Returns the CPU time of the service and PostgreSQL per request, in microseconds, including the simulation's own
     * requests; NaN if they ran on another machine.
     */
    double microsecondsOfCpu() {
        double seconds = facts.path("cpuSecondsOfService").asDouble(Double.NaN)
                + facts.path("cpuSecondsOfPostgres").asDouble(Double.NaN);
        return seconds * 1e6 / total.count();
    }
}
