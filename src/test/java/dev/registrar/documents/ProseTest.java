package dev.registrar.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The project's prose is plain English: comments, texts, test names, scripts, settings and documents have none of the
 * phrases that {@code src/test/resources/documents/phrases.txt} lists.
 */
class ProseTest {
    private static final Path PHRASES = Path.of("src/test/resources/documents/phrases.txt");

    /** The list itself, and this test, which quotes it. */
    private static final Set<Path> EXEMPT =
            Set.of(PHRASES, Path.of("src/test/java/dev/registrar/documents/ProseTest.java"));

    /** Results of benchmarks, whose texts come from checked sources. */
    private static final Path RECORDED = Path.of("docs/benchmarks");

    @Test
    void the_prose_of_the_project_has_no_phrase_of_the_list() throws IOException {
        List<Phrase> phrases = Phrase.read(PHRASES);

        List<String> findings = ProjectFiles.texts().stream()
                .filter(ProseTest::isChecked)
                .flatMap(file -> Prose.of(ProjectFiles.read(file)).find(phrases).stream()
                        .map(finding -> "%s:%d: \"%s\" - better: %s"
                                .formatted(
                                        file,
                                        finding.line(),
                                        finding.found(),
                                        finding.phrase().alternative())))
                .sorted()
                .toList();

        assertThat(findings).isEmpty();
    }

    @Test
    void sources_documents_scripts_and_settings_are_checked() {
        assertThat(ProjectFiles.texts().stream().filter(ProseTest::isChecked))
                .contains(
                        Path.of("README.md"),
                        Path.of("pom.xml"),
                        Path.of("Dockerfile"),
                        Path.of(".ci/run"),
                        Path.of("docs/architecture.md"),
                        Path.of("docs/decisions/README.md"),
                        Path.of("gatling/pom.xml"),
                        Path.of("gatling/src/test/java/dev/registrar/gatling/Pace.java"),
                        Path.of("src/main/java/dev/registrar/eventstore/EventStore.java"),
                        Path.of("src/main/resources/application.yaml"),
                        Path.of("src/main/resources/openapi.json"),
                        Path.of("src/main/resources/META-INF/additional-spring-configuration-metadata.json"),
                        Path.of("src/test/consumer/plain/pom.xml"),
                        Path.of("src/test/fuzz/hooks.py"))
                .doesNotContain(PHRASES)
                .noneMatch(file -> file.toString().contains("target"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    /* Whoever waits. */                             | 1
                    int a;\\n/**\\n * What is\\n * remembered. */     | 3
                    void what_is_remembered_counts() {}              | 1
                    log("no request"\\n    + " is told of it");      | 2
                    -- a comment: as many\\n-- as may               | 1
                    // Told is the end                               | 1
                    Call it; who wants more, asks.                   | 1
                    """)
    void a_phrase_is_found_with_its_line(String source, int line) throws IOException {
        List<Prose.Finding> findings = Prose.of(source.replace("\\n", "\n")).find(Phrase.read(PHRASES));

        assertThat(findings).isNotEmpty().allMatch(finding -> finding.line() == line);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    The caller waits.
                    A stand-in for the server; the student who waits.
                    new Whoevers(list)
                    What is it: who is it that waits?
                    """)
    void plain_prose_is_not_found(String source) throws IOException {
        assertThat(Prose.of(source).find(Phrase.read(PHRASES))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"whoever", "to be(?! found) => must be", "an?other => one => nothing of it", "whoever => "})
    void a_phrase_needs_an_alternative_and_finds_its_example(String line) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Phrase.parse(line))
                .withMessageContaining("A phrase has");
    }

    private static boolean isChecked(Path file) {
        return !EXEMPT.contains(file) && !file.startsWith(RECORDED);
    }
}
