package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README shows word for word what the projects in src/test/consumer compile and run. */
class ReadmeSnippetsTest {
    private static final Path CONSUMERS = Path.of("src/test/consumer");
    private static final Pattern MARKED = Pattern.compile("(?ms)^ *// README: (?!end).*?\\n(.*?)^ *// README: end$");
    private static final Pattern XML = Pattern.compile("(?ms)^```xml\\n(.*?)^```$");

    @Test
    void code_of_the_consumers_is_in_the_readme() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        List<String> snippets = new ArrayList<>();
        for (String source : files(".java")) {
            Matcher marked = MARKED.matcher(source);
            while (marked.find()) {
                snippets.add(marked.group(1).stripTrailing().stripIndent());
            }
        }

        assertThat(snippets)
                .hasSize(2)
                .allSatisfy(snippet -> assertThat(readme).contains("```java\n" + snippet + "\n```\n"));
    }

    @Test
    void dependencies_in_the_readme_are_those_of_the_consumers() throws IOException {
        List<String> poms = files("pom.xml");
        Matcher blocks = XML.matcher(Files.readString(Path.of("README.md")));
        int found = 0;
        while (blocks.find()) {
            String dependency = blocks.group(1).indent(4);
            assertThat(poms).anyMatch(pom -> pom.contains(dependency));
            found++;
        }

        assertThat(found).isEqualTo(2);
    }

    private static List<String> files(String ending) throws IOException {
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
