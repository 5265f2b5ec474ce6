package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Code in the documents is, word for word, code of the projects in src/test/consumer, which are compiled and run. */
class DocumentedCodeTest {
    private static final Path CONSUMERS = Path.of("src/test/consumer");
    private static final Path README = Path.of("README.md");
    private static final Path SPRING_BOOT = Path.of("docs/spring-boot.md");

    /** A part of a source between two comments, of which the first names the document that shows the part. */
    private static final Pattern SHOWN = Pattern.compile("(?ms)^ *// ([\\w/-]+\\.md): .*?\\n(.*?)^ *// end$");

    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern XML = Pattern.compile("(?ms)^```xml\\n(.*?)^```$");

    @Test
    void marked_code_is_in_its_document() throws IOException {
        List<MatchResult> shown = shown();

        assertThat(shown).extracting(code -> code.group(1)).containsOnly(README.toString(), SPRING_BOOT.toString());
        for (MatchResult code : shown) {
            assertThat(blocks(JAVA, Path.of(code.group(1)))).contains(text(code));
        }
    }

    @Test
    void all_code_of_the_readme_is_marked() throws IOException {
        assertThat(blocks(JAVA, README))
                .hasSize(2)
                .isSubsetOf(shown().stream().map(DocumentedCodeTest::text).toList());
    }

    @Test
    void dependencies_are_those_of_the_projects() throws IOException {
        List<String> poms = sources("pom.xml");
        for (Path document : List.of(README, SPRING_BOOT)) {
            List<String> dependencies = blocks(XML, document);
            assertThat(dependencies).as("in %s", document).hasSize(1);
            assertThat(poms)
                    .anyMatch(pom -> pom.contains(dependencies.getFirst().indent(4)));
        }
    }

    private static List<MatchResult> shown() throws IOException {
        return sources(".java").stream()
                .flatMap(source -> SHOWN.matcher(source).results())
                .toList();
    }

    private static String text(MatchResult shown) {
        return shown.group(2).stripTrailing().stripIndent() + "\n";
    }

    private static List<String> blocks(Pattern form, Path document) throws IOException {
        return form.matcher(Files.readString(document))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static List<String> sources(String ending) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(CONSUMERS)) {
            for (Path file : files.filter(path -> path.toString().endsWith(ending))
                    .sorted()
                    .toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }
}
