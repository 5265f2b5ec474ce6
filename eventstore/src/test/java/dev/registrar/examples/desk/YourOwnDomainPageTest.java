package dev.registrar.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class YourOwnDomainPageTest {
    private static final Path PAGE = Path.of("docs/your-own-domain.md");
    private static final Path SOURCES = Path.of("src/test/java/dev/registrar/examples/desk");
    private static final Set<String> NOT_SHOWN = Set.of("package-info.java", "YourOwnDomainPageTest.java");

    /** Tests that the page links to. */
    private static final Set<String> LINKED =
            Set.of("CoversTest.java", "FeesTest.java", "MoreCommandsTest.java", "ShelvesViewTest.java");

    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)\n```", Pattern.DOTALL);

    @Test
    void the_code_on_the_page_is_the_code_that_runs() throws IOException {
        List<String> shown = BLOCK.matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();

        assertThat(shown).containsExactlyInAnyOrderElementsOf(sources());
    }

    @Test
    void the_page_links_to_the_tests_that_it_does_not_show() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(LINKED).allSatisfy(test -> assertThat(page).contains("](../" + SOURCES.resolve(test) + ")"));
    }

    /* Without package and imports, which the page leaves out. */
    private static List<String> sources() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.filter(file -> isShown(file.getFileName().toString()))
                    .map(YourOwnDomainPageTest::withoutImports)
                    .toList();
        }
    }

    private static boolean isShown(String name) {
        return !NOT_SHOWN.contains(name) && !LINKED.contains(name);
    }

    private static String withoutImports(Path file) {
        try {
            String source = Files.readString(file);
            int lastImport = source.lastIndexOf("\nimport ");
            return source.substring(source.indexOf('\n', lastImport + 1)).strip();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
