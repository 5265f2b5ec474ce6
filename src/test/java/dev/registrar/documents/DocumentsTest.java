package dev.registrar.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where links of the documents lead, which documents the sources name, and what is said of commands. */
@Tag("documents")
class DocumentsTest {
    private static final Pattern ELSEWHERE = Pattern.compile("(?:https?|mailto):.*");
    private static final Pattern NAMED = Pattern.compile(
            "(?<![\\w/-])(docs/(?:[\\w-]+/)*[\\w-]+\\.md|docs/decisions/\\d{4})(?:, \"([^\"]+)\"|(#[\\w-]+))?");
    private static final Pattern OTHER_PROJECT = Pattern.compile("^\\S* of (?:go-crablet|Opossum|pg-parallel)");
    private static final Pattern COMMAND = Pattern.compile(
            "(?:\\$ )?(?:(?:curl|mvn|java|docker|psql|git|cd|pg_dump|pg_restore|createdb|jcmd|kill)\\b|\\.ci/).*");
    private static final Pattern NOT_RUN = Pattern.compile("<!-- not run: .{10,} -->");
    /** Languages of blocks that may have commands, but that are not run: those of sh and console are. */
    private static final Set<String> NOT_RUN_LANGUAGES = Set.of("", "text", "bash", "shell");

    @Test
    void links_lead_to_files_and_headings() {
        List<String> broken = ProjectFiles.documents().stream()
                .flatMap(file -> brokenLinks(file, Markdown.of(file)))
                .toList();

        assertThat(broken).isEmpty();
    }

    @Test
    void documents_that_sources_name_exist() {
        List<String> missing = ProjectFiles.texts().stream()
                .filter(file -> !file.toString().endsWith(".md") && !file.endsWith("DocumentsTest.java"))
                .flatMap(file -> missingDocuments(file, ProjectFiles.read(file)))
                .toList();

        assertThat(missing).isEmpty();
    }

    @Test
    void commands_are_run_by_the_build_or_say_why_not() {
        List<String> silent = ProjectFiles.documents().stream()
                .filter(file -> !file.startsWith("src"))
                .flatMap(file -> Markdown.of(file).blocks().stream()
                        .filter(DocumentsTest::isUnexplained)
                        .map(block -> "%s:%s is neither a block of sh or console nor marked <!-- not run: reason -->"
                                .formatted(file, block.line())))
                .toList();

        assertThat(silent).isEmpty();
    }

    private static Stream<String> brokenLinks(Path file, Markdown document) {
        return document.links().stream()
                .filter(link -> !ELSEWHERE.matcher(link.target()).matches())
                .filter(link -> !leadsSomewhere(file, document, link.target()))
                .map(link -> "%s:%s links to %s".formatted(file, link.line(), link.target()));
    }

    private static boolean leadsSomewhere(Path file, Markdown document, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = file.resolveSibling(path).normalize();
        if (!path.isEmpty() && !Files.exists(target)) {
            return false;
        }
        if (hash < 0 || !(path.isEmpty() || path.endsWith(".md"))) {
            return true;
        }
        return (path.isEmpty() ? document : Markdown.of(target)).anchors().contains(link.substring(hash + 1));
    }

    private static Stream<String> missingDocuments(Path file, String text) {
        List<String> missing = new ArrayList<>();
        for (MatchResult named : NAMED.matcher(text).results().toList()) {
            boolean ours = !OTHER_PROJECT.matcher(text.substring(named.start())).lookingAt();
            if (ours && !exists(named)) {
                missing.add("%s names %s".formatted(file, named.group()));
            }
        }
        return missing.stream();
    }

    /* A decision may be named by its number alone, and a heading in quotation marks. */
    private static boolean exists(MatchResult named) {
        Path document = Path.of(named.group(1));
        if (!Files.exists(document)) {
            return named.group(1).matches("docs/decisions/\\d{4}") && isDecision(document);
        }
        boolean heading =
                named.group(2) == null || Markdown.of(document).headings().contains(named.group(2));
        return heading
                && (named.group(3) == null
                        || Markdown.of(document)
                                .anchors()
                                .contains(named.group(3).substring(1)));
    }

    private static boolean isDecision(Path numbered) {
        String[] found = Path.of("docs/decisions").toFile().list();
        return found != null && Stream.of(found).anyMatch(name -> name.startsWith(numbered.getFileName() + "-"));
    }

    private static boolean isUnexplained(Markdown.Block block) {
        return NOT_RUN_LANGUAGES.contains(block.language())
                && block.lines().stream().anyMatch(line -> COMMAND.matcher(line).matches())
                && !NOT_RUN.matcher(block.before()).matches();
    }
}
