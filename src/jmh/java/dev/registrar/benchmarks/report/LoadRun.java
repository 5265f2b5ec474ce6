package dev.registrar.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
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

        /* As Gatling writes it with its own choice of percentiles: 50, 75, 95, 99. */
        static Requests of(JsonNode stats) {
            return new Requests(
                    stats.path("name").asString(),
                    stats.path("numberOfRequests").path("total").asLong(),
                    stats.path("numberOfRequests").path("ko").asLong(),
                    stats.path("meanNumberOfRequestsPerSecond").path("total").asDouble(),
                    stats.path("meanResponseTime").path("total").asDouble(),
                    stats.path("percentiles1").path("total").asLong(),
                    stats.path("percentiles3").path("total").asLong(),
                    stats.path("percentiles4").path("total").asLong());
        }
    }

    /** The last runs below a folder, by the names of their simulations. */
    static List<LoadRun> below(Path results) throws IOException {
        try (Stream<Path> files = Files.list(results)) {
            List<Path> all = files.sorted().toList();
            List<LoadRun> runs = new ArrayList<>();
            for (Path facts : all) {
                String name = facts.getFileName().toString();
                if (name.endsWith(".json")) {
                    String simulation = name.substring(0, name.length() - ".json".length());
                    lastFolder(simulation, all).ifPresent(folder -> runs.add(of(simulation, folder, facts)));
                }
            }
            return runs;
        }
    }

    /* Named after the simulation and the time, so that the last in the alphabet is the latest. */
    private static Optional<Path> lastFolder(String simulation, List<Path> all) {
        return all.stream()
                .filter(folder ->
                        folder.getFileName().toString().matches(simulation.toLowerCase(Locale.ROOT) + "-\\d+"))
                .filter(folder -> Files.exists(stats(folder)))
                .max(Comparator.naturalOrder());
    }

    private static Path stats(Path folder) {
        return folder.resolve("js").resolve("stats.json");
    }

    private static LoadRun of(String simulation, Path folder, Path facts) {
        JsonNode stats = JSON.readTree(stats(folder));
        List<Requests> requests = new ArrayList<>();
        stats.path("contents").forEach(content -> requests.add(Requests.of(content.path("stats"))));
        return new LoadRun(
                simulation,
                folder.getFileName().toString(),
                JSON.readTree(facts),
                Requests.of(stats.path("stats")),
                requests);
    }

    String profile() {
        return facts.path("profile").asString();
    }

    /** CPU time of the service and PostgreSQL together for each request, with what the simulation itself asked. */
    double microsecondsOfCpu() {
        double seconds = facts.path("cpuSecondsOfService").asDouble()
                + facts.path("cpuSecondsOfPostgres").asDouble();
        return seconds * 1e6 / total.count();
    }
}
