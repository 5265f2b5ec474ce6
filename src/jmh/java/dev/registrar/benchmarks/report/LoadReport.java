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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** The total in the table of statistics of Gatling's report. Gatling's log has a private format. */
    private static final Pattern TOTAL = Pattern.compile("<tr id=\"ROOT\".*?</tr>", Pattern.DOTALL);

    private static final Pattern CELL = Pattern.compile("<td class=\"value [a-z]+ col-\\d+\">([^<]*)</td>");
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    /**
     * The columns of the table: total, OK, failed, percentage failed, rate, minimum, percentiles, maximum, and others.
     */
    private static final int COLUMNS = 13;

    private static final int REQUESTS = 0;
    private static final int FAILED = 2;
    private static final int PER_SECOND = 4;
    private static final int P50 = 6;
    private static final int P95 = 8;
    private static final int P99 = 9;

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
                    all = all.with(circumstances(facts), List.of(row(facts, total(page.get()))));
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

    private static List<Double> total(Path page) throws IOException {
        String row = TOTAL.matcher(Files.readString(page))
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElse("");
        List<Double> values =
                CELL.matcher(row).results().map(cell -> value(cell.group(1))).toList();
        if (values.size() != COLUMNS) {
            throw new IllegalArgumentException("%s has not Gatling's table of statistics".formatted(page));
        }
        return values;
    }

    /* Gatling writes nothing or a hyphen where there were no requests. */
    private static double value(String text) {
        return text.isBlank() || text.equals("-") ? 0 : Double.parseDouble(text.replace(",", ""));
    }

    /**
     * Returns a result as JMH has it: one caller's time of a call in microseconds, and percentiles. The CPU time
     * includes that of the simulation's own requests, and is not known if it ran on another machine.
     */
    private static ObjectNode row(JsonNode facts, List<Double> total) {
        String name = text(facts, "simulation").replace("Simulation", "");
        double requests = total.get(REQUESTS);
        // Gatling's rate includes the seconds of the warm-up.
        double seconds = facts.path("secondsOfLoad").asDouble(0);
        double perSecond = seconds > 0 ? requests / seconds : total.get(PER_SECOND);
        ObjectNode result = JSON.createObjectNode()
                .put(
                        "row",
                        "load/%s profile=%s"
                                .formatted(
                                        name.replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                                                .toLowerCase(Locale.ROOT),
                                        text(facts, "profile")))
                .put("threads", 1)
                .put("remark", remark(facts, requests, total.get(FAILED)));
        result.putObject("primaryMetric")
                .put("score", 1e6 / perSecond)
                .putObject("scorePercentiles")
                .put("50.0", total.get(P50) * 1_000)
                .put("95.0", total.get(P95) * 1_000)
                .put("99.0", total.get(P99) * 1_000);
        double cpuSeconds = facts.path("cpuSecondsOfService").asDouble(Double.NaN)
                + facts.path("cpuSecondsOfPostgres").asDouble(Double.NaN);
        if (!Double.isNaN(cpuSeconds)) {
            result.putObject("secondaryMetrics").putObject(Measured.CPU).put("score", cpuSeconds * 1e6 / requests);
        }
        return result;
    }

    private static String remark(JsonNode facts, double requests, double failed) {
        List<String> remark = new ArrayList<>();
        remark.add(String.format(Locale.ROOT, "%,.0f requests, %,.0f failed", requests, failed));
        if (!facts.path("warmedUp").asBoolean(false)) {
            remark.add("not warmed up");
        }
        facts.properties().stream()
                .filter(fact -> !USED.contains(fact.getKey()))
                .forEach(fact -> remark.add(fact.getKey() + " " + numbers(fact.getValue())));
        return String.join("; ", remark);
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
