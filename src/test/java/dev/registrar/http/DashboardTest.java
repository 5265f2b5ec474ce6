package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The Grafana dashboard and the alerting rules use metrics that the service exports. */
@ServiceTest
class DashboardTest {
    private static final Pattern METRIC = Pattern.compile("\\b[a-z0-9]+(?:_[a-z0-9]+)+(?=\\{)");
    private static final Path FOLDER = Path.of("docs", "grafana");

    private final Api api;

    DashboardTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void the_service_exports_every_metric_of_the_dashboard() {
        JsonNode dashboard = JsonMapper.shared().readTree(FOLDER.resolve("registrar.json"));

        Set<String> drawn = metrics(dashboard.findValuesAsString("expr"));

        assertThat(drawn).hasSizeGreaterThan(15);
        assertThat(exported()).containsAll(drawn);
    }

    @Test
    void the_service_exports_every_metric_of_the_alerts() throws IOException {
        Set<String> watched = metrics(Files.readAllLines(FOLDER.resolve("alerts.yaml")));

        assertThat(watched).hasSizeGreaterThan(5);
        assertThat(exported()).containsAll(watched);
    }

    private static Set<String> metrics(List<String> expressions) {
        return expressions.stream()
                .flatMap(expression -> METRIC.matcher(expression).results())
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> exported() {
        api.post("/api/courses", "{\"title\": \"Latin\", \"capacity\": 1}");
        return api.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }
}
