package dev.registrar.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The conditions of a measurement: machine, Java, server, commit and settings. */
public final class Circumstances {
    private Circumstances() {}

    /**
     * Returns machine, Java, server and commit, by name.
     *
     * @param thoroughness how long and how often the program measures
     */
    public static Map<String, String> of(PreparedDatabases databases, Map<String, String> thoroughness) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("commit", commit());
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("processors", Runtime.getRuntime().availableProcessors() + " of " + processor());
        facts.put("memory", (memory() >> 20) + " MB");
        facts.put("load average at the start", String.format(Locale.ROOT, "%.2f", system().getSystemLoadAverage()));
        facts.putAll(thoroughness);
        databases.serverSettings().forEach((name, value) -> facts.put("postgresql." + name, value));
        return facts;
    }

    /* From Linux's /proc. */
    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("an unknown kind");
        } catch (IOException notLinux) {
            return System.getProperty("os.arch");
        }
    }

    private static long memory() {
        return system().getTotalMemorySize();
    }

    private static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
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
