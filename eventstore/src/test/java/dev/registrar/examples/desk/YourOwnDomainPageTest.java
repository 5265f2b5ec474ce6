package dev.registrar.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page shows the sources of this package, and in its last block of code all their imports. */
@Tag("documents")
class YourOwnDomainPageTest {
    private static final Path PAGE = Path.of("../docs/your-own-domain.md");
    private static final String SOURCES = "src/test/java/dev/registrar/examples/desk/";
    private static final Set<String> NOT_SHOWN = Set.of("package-info.java", "YourOwnDomainPageTest.java");

    /** Tests that the page links to. */
    private static final Set<String> LINKED =
            Set.of("CoversTest.java", "FeesTest.java", "MoreCommandsTest.java", "ShelvesViewTest.java");

    private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)\n```");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");

    @Test
    void the_code_on_the_page_is_the_code_that_runs() throws IOException {
        List<String> blocks = blocks(Files.readString(PAGE));

        assertThat(blocks.subList(0, blocks.size() - 1))
                .containsExactlyInAnyOrderElementsOf(sources().stream()
                        .map(YourOwnDomainPageTest::withoutImports)
                        .toList());
    }

    @Test
    void the_imports_on_the_page_are_those_of_its_code() throws IOException {
        Set<String> imports = new TreeSet<>();
        for (String source : sources()) {
            IMPORT.matcher(source).results().forEach(found -> imports.add(found.group()));
        }

        assertThat(blocks(Files.readString(PAGE)).getLast().lines()).containsExactlyElementsOf(imports);
    }

    @Test
    void the_page_links_to_the_tests_that_it_does_not_show() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(LINKED).allSatisfy(test -> assertThat(page).contains("](../eventstore/" + SOURCES + test + ")"));
    }

    private static List<String> blocks(String page) {
        return BLOCK.matcher(page).results().map(block -> block.group(1)).toList();
    }

    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(SOURCES))) {
            for (Path file :
                    files.filter(file -> isShown(file.getFileName().toString())).toList()) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }

    private static boolean isShown(String name) {
        return !NOT_SHOWN.contains(name) && !LINKED.contains(name);
    }

    private static String withoutImports(String source) {
        int lastImport = source.lastIndexOf("\nimport ");
        return source.substring(source.indexOf('\n', lastImport + 1)).strip();
    }
}
