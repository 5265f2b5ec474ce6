package dev.registrar.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Adds the last runs of the load tests to a file of results, each as a row such as {@code load/append profile=seed},
 * and writes the pages of its folder. A run of an earlier build stays in the file until its simulation runs again under
 * the same load profile.
 */
public final class LoadReport {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String SMOKE = "smoke";

    /** What becomes the circumstances, the figures or the name of a row; the other facts become its remark. */
    private static final Set<String> USED = Set.of(
            "simulation",
            "profile",
            "begun",
            "commit",
            "server",
            "java",
            "processors",
            "heap",
            "warmedUp",
            "secondsOfLoad",
            "cpuSecondsOfService",
            "cpuSecondsOfPostgres",
            "speed");

    /** The rows of the table of statistics in Gatling's report, the total first. Gatling's log has a private format. */
    private static final Pattern ROW = Pattern.compile("<tr id=\"(?:ROOT|req_[^\"]*)\".*?</tr>", Pattern.DOTALL);

    private static final Pattern NAME = Pattern.compile("class=\"ellipsed-name\">([^<]*)<");
    private static final Pattern CELL = Pattern.compile("<td class=\"value [a-z]+ col-\\d+\">([^<]*)</td>");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private LoadReport() {}

    /** Takes Gatling's folder of results and the file. */
    public static void main(String... given) throws IOException {
        String[] arguments = String.join(" ", given).strip().split("\\s+", -1);
        if (arguments.length != 2) {
            throw new IllegalArgumentException("Usage: LoadReport <Gatling's results> <load.json>");
        }
        Path file = Path.of(arguments[1]).toAbsolutePath();
        add(Path.of(arguments[0]), file);
        Pages.main(file.resolveSibling("").toString());
    }

    /**
     * Adds the runs in a folder to the file.
     *
     * @throws IllegalArgumentException if the folder has no run but smoke runs, which end before the JVM has warmed up
     */
    static void add(Path folder, Path file) throws IOException {
        Results all = Files.exists(file) ? Results.read(file) : new Results(List.of());
        int added = 0;
        for (Path written : inFolder(folder)) {
            if (written.toString().endsWith(".json")) {
                JsonNode facts = JSON.readTree(written);
                Optional<Path> page = page(facts, folder);
                if (page.isPresent() && !text(facts, "profile").equals(SMOKE)) {
                    all = all.with(circumstances(facts), rows(facts, requests(page.get())));
                    added++;
                }
            }
        }
        if (added == 0) {
            throw new IllegalArgumentException(
                    "No runs in %s but smoke runs: run a simulation with another profile first".formatted(folder));
        }
        all.write(file);
    }

    private static List<Path> inFolder(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /* Gatling names the folder after the simulation and the start of the load, which follows the preparation. */
    private static Optional<Path> page(JsonNode facts, Path results) throws IOException {
        String prefix = text(facts, "simulation").toLowerCase(Locale.ROOT) + "-";
        String begun = prefix + STAMP.format(Instant.parse(text(facts, "begun")));
        return inFolder(results).stream()
                .filter(folder -> folder.getFileName().toString().startsWith(prefix))
                .filter(folder -> folder.getFileName().toString().compareTo(begun) >= 0)
                .map(folder -> folder.resolve("index.html"))
                .filter(Files::exists)
                .min(Comparator.naturalOrder());
    }

    /** Returns where the run took place. Runs of one day and commit have the same, as those of one program do. */
    private static Map<String, String> circumstances(JsonNode facts) {
        Map<String, String> circumstances = new LinkedHashMap<>();
        circumstances.put("at", "%.10s".formatted(text(facts, "begun")));
        circumstances.put("commit", text(facts, "commit"));
        circumstances.put("java", text(facts, "java"));
        circumstances.put("processors", text(facts, "processors") + " processors");
        circumstances.put("heap of the service", text(facts, "heap"));
        circumstances.put("postgresql.kind", text(facts, "server"));
        return circumstances;
    }

    /**
     * A line of Gatling's table of statistics.
     *
     * @param values total, OK, failed, percentage failed, rate, minimum, 50th, 75th, 95th, 99th percentile, maximum,
     *     mean, deviation
     */
    private record Requests(String name, List<Double> values) {
        private static final int COLUMNS = 13;

        static Requests of(MatchResult row) {
            Matcher name = NAME.matcher(row.group());
            List<Double> values = CELL.matcher(row.group())
                    .results()
                    .map(cell -> value(cell.group(1)))
                    .toList();
            if (!name.find() || values.size() != COLUMNS) {
                throw new IllegalArgumentException("Not a row of Gatling's table of statistics: " + row.group());
            }
            return new Requests(HtmlUtils.htmlUnescape(name.group(1)), values);
        }

        /* Gatling writes nothing or a hyphen where there were no requests. */
        private static double value(String text) {
            return text.isBlank() || text.equals("-") ? 0 : Double.parseDouble(text.replace(",", ""));
        }

        double count() {
            return values.get(0);
        }

        /* Gatling's rate includes the seconds of the warm-up. */
        double perSecond(JsonNode facts) {
            double seconds = facts.path("secondsOfLoad").asDouble(0);
            return seconds > 0 ? count() / seconds : values.get(4);
        }

        /** Returns a result as JMH has it: one caller's time of a call in microseconds, and percentiles. */
        ObjectNode result(String row, double perSecond, double microsecondsOfCpu, String remark) {
            ObjectNode result =
                    JSON.createObjectNode().put("row", row).put("threads", 1).put("remark", remark);
            result.putObject("primaryMetric")
                    .put("score", 1e6 / perSecond)
                    .putObject("scorePercentiles")
                    .put("50.0", values.get(6) * 1_000)
                    .put("95.0", values.get(8) * 1_000)
                    .put("99.0", values.get(9) * 1_000);
            if (!Double.isNaN(microsecondsOfCpu)) {
                result.putObject("secondaryMetrics").putObject(Measured.CPU).put("score", microsecondsOfCpu);
            }
            return result;
        }
    }

    private static List<Requests> requests(Path page) throws IOException {
        return ROW.matcher(Files.readString(page)).results().map(Requests::of).toList();
    }

    private static List<ObjectNode> rows(JsonNode facts, List<Requests> requests) {
        String name = text(facts, "simulation").replace("Simulation", "");
        String row = "load/%s profile=%s"
                .formatted(
                        name.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT), text(facts, "profile"));
        JsonNode turns = facts.path("speed");
        return turns.isMissingNode()
                ? List.of(total(facts, row, requests.getFirst()))
                : turns.valueStream()
                        .flatMap(kind -> turns(row, kind, turns.path(0), requests).stream())
                        .toList();
    }

    /* The CPU time includes that of the simulation's own requests, and is not known if it ran on another machine. */
    private static ObjectNode total(JsonNode facts, String row, Requests total) {
        double seconds = facts.path("cpuSecondsOfService").asDouble(Double.NaN)
                + facts.path("cpuSecondsOfPostgres").asDouble(Double.NaN);
        List<String> remark = new ArrayList<>();
        remark.add(String.format(
                Locale.ROOT,
                "%,.0f requests, %,.0f failed",
                total.count(),
                total.values().get(2)));
        if (!facts.path("warmedUp").asBoolean(false)) {
            remark.add("not warmed up");
        }
        facts.properties().stream()
                .filter(fact -> !USED.contains(fact.getKey()))
                .forEach(fact -> remark.add(fact.getKey() + " " + numbers(fact.getValue())));
        return total.result(row, total.perSecond(facts), seconds * 1e6 / total.count(), String.join("; ", remark));
    }

    /** Returns the results of a kind of request in its turns with the baseline, the first kind. */
    private static List<ObjectNode> turns(String row, JsonNode kind, JsonNode baseline, List<Requests> requests) {
        String name = text(kind, "kind");
        Requests found = requests.stream()
                .filter(known -> known.name().equals(name))
                .findAny()
                .orElseThrow();
        List<ObjectNode> results = new ArrayList<>();
        for (int turn = 0; turn < kind.path("perSecond").size(); turn++) {
            ObjectNode result = found.result(
                    row + " request=" + name,
                    kind.path("perSecond").path(turn).asDouble(),
                    kind.path("microsecondsOfCpu").path(turn).asDouble(Double.NaN),
                    "");
            if (!kind.equals(baseline)) {
                result.put("by", row + " request=" + text(baseline, "kind"));
            }
            results.add(result);
        }
        return results;
    }

    private static String numbers(JsonNode fact) {
        return (fact.isArray() ? fact.valueStream() : Stream.of(fact))
                .map(number -> number.isNumber() ? Measured.text(number.asDouble()) : number.asString(""))
                .collect(Collectors.joining(", "));
    }

    private static String text(JsonNode facts, String name) {
        return facts.path(name).asString("");
    }
}
