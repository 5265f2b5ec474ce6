package dev.registrar.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openqa.selenium.JavascriptExecutor;

/** The axe-core engine in a page: the rules of WCAG 2.2, levels A and AA, that a program can check. */
final class Axe {
    /** All rules. */
    static final Map<String, Object> ALL =
            Map.of("type", "tag", "values", List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"));

    /** The rules of these levels that depend on the theme. */
    static final Map<String, Object> COLOURS =
            Map.of("type", "rule", "values", List.of("color-contrast", "link-in-text-block"));

    private static final String SOURCE = source();

    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            axe.run(document, {runOnly: arguments[0], resultTypes: ['violations']}).then(
                results => done(results.violations.flatMap(rule => rule.nodes.map(node =>
                    `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary}`))),
                failure => done(['axe failed: ' + failure]));
            """;

    private Axe() {}

    private static String source() {
        try (InputStream script = Objects.requireNonNull(Axe.class.getResourceAsStream("/axe.min.js"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** One line for each element of the page that violates a rule. */
    static List<String> violations(JavascriptExecutor page, Map<String, Object> rules) {
        if (!Boolean.TRUE.equals(page.executeScript("return typeof axe === 'object'"))) {
            page.executeScript(SOURCE);
        }
        return ((List<?>) Objects.requireNonNull(page.executeAsyncScript(RUN, rules)))
                .stream().map(String::valueOf).toList();
    }
}
