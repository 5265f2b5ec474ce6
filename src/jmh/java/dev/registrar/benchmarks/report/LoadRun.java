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
 * @param folder of Gatling's own report, below that of all results
 * @param facts what the simulation said of its run
 * @param total all of its requests
 * @param requests each kind of them
 */
record LoadRun(String simulation, String folder, JsonNode facts, Requests total, List<Requests> requests) {
    private static final JsonMapper JSON = JsonMapper.shared();
    /** Gatling's results are in a form of its own; what it tells in words are the rows of a table, the total first. */
    private static final Pattern ROW = Pattern.compile("<tr id=\"(ROOT|req_[^\"]*)\".*?</tr>", Pattern.DOTALL);

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Pattern NAME = Pattern.compile("class=\"ellipsed-name\">([^<]*)<");
    private static final Pattern CELL = Pattern.compile("<td class=\"value [a-z]+ col-\\d+\">([^<]*)</td>");
    /**
     * Total, OK, failed, failed of a hundred, a second, least, 50th, 75th, 95th, 99th percentile, most, mean,
     * deviation.
     */
    private static final int COLUMNS = 13;

    /** How many there were, and how long they took. */
    record Requests(
            String name,
            long count,
            long failed,
            double perSecond,
            double meanMillis,
            long medianMillis,
            long p95Millis,
            long p99Millis) {

        /* A row of Gatling's table, with its own choice of percentiles: 50, 75, 95, 99. */
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

        /* Gatling counts the seconds of a warm-up, too. */
        Requests within(double seconds) {
            double rate = seconds > 0 ? count / seconds : perSecond;
            return new Requests(name, count, failed, rate, meanMillis, medianMillis, p95Millis, p99Millis);
        }

        /* Nothing where there is nothing to tell. */
        private static double value(String text) {
            return text.isBlank() || text.equals("-") ? 0 : Double.parseDouble(text.replace(",", ""));
        }
    }

    /** The last runs below a folder of each simulation under each profile, by name. */
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

    /* Gatling names it after the simulation and the time at which the load began, when the simulation had prepared it. */
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

    String profile() {
        return facts.path("profile").asString();
    }

    /**
     * CPU time of the service and PostgreSQL together for each request, with what the simulation itself asked; not a
     * number if they ran elsewhere.
     */
    double microsecondsOfCpu() {
        double seconds = facts.path("cpuSecondsOfService").asDouble(Double.NaN)
                + facts.path("cpuSecondsOfPostgres").asDouble(Double.NaN);
        return seconds * 1e6 / total.count();
    }
}
