package dev.registrar.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page shows or links each source of this package. */
@Tag("documents")
class YourOwnDomainPageTest {
    private static final Path PAGE = Path.of("../docs/your-own-domain.md");
    private static final String SOURCES = "src/test/java/dev/registrar/examples/desk/";
    private static final Set<String> NOT_SHOWN = Set.of("package-info.java", "YourOwnDomainPageTest.java");

    /** Sources that the page links to. */
    private static final Set<String> LINKED = Set.of(
            "AddBook.java",
            "BooksOfReader.java",
            "Covers.java",
            "CoversTest.java",
            "DeskCommands.java",
            "Fees.java",
            "FeesTest.java",
            "LendReserved.java",
            "LibraryDesk.java",
            "LibraryDeskTest.java",
            "MoreCommandsTest.java",
            "RecordVisit.java",
            "Reservations.java",
            "ShelvesView.java",
            "ShelvesViewTest.java");

    private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)\n```");

    @Test
    void the_code_on_the_page_is_the_code_that_runs() throws IOException {
        assertThat(blocks(Files.readString(PAGE)))
                .containsExactlyInAnyOrderElementsOf(sources().stream()
                        .map(YourOwnDomainPageTest::withoutImports)
                        .toList());
    }

    @Test
    void the_page_links_to_the_sources_that_it_does_not_show() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(LINKED).allSatisfy(source -> assertThat(page).contains("](../eventstore/" + SOURCES + source + ")"));
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
