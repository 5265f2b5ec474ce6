package dev.registrar.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a figure depends on besides the code that it measures. */
final class Circumstances {
    private Circumstances() {}

    static Map<String, String> of(PreparedDatabases databases, RunSettings settings) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("commit", commit());
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("memory", (memory() >> 20) + " MB");
        facts.put("rounds", Integer.toString(settings.rounds()));
        facts.put("warm-up", settings.warmup().toString());
        facts.put("measured", settings.measure().toString());
        databases.serverSettings().forEach((name, value) -> facts.put("postgresql." + name, value));
        return facts;
    }

    private static long memory() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    private static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty")
                    .redirectError(Redirect.DISCARD)
                    .start();
            String commit = git.inputReader().readLine();
            return commit == null ? "unknown" : commit;
        } catch (IOException notInstalled) {
            return "unknown";
        }
    }
}
