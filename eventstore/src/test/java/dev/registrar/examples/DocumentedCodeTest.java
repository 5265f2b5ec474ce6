package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Code in the documents is, with its imports, code of the samples or of the starter's tests. */
@Tag("documents")
class DocumentedCodeTest {
    private static final Path PROJECT = Path.of("..");

    private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final Pattern XML = Pattern.compile("(?ms)^```xml\\n(.*?)^```$");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import [\\w. ]*?\\b(\\w+);\\n+");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/spring-boot.md"})
    void code_is_that_of_a_source_file_with_the_imports_that_it_needs(String document) {
        List<String> sources = sources(".java");

        assertThat(blocks(JAVA, document)).isNotEmpty().allSatisfy(block -> {
            String code = IMPORT.matcher(block).replaceAll("");
            assertThat(sources)
                    .filteredOn(source -> withoutIndentation(source).contains(withoutIndentation(code)))
                    .as("Sources with%n%s", code)
                    .anySatisfy(source ->
                            assertThat(imports(block, block)).containsExactlyElementsOf(imports(source, code)));
        });
    }

    private static String withoutIndentation(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n")).strip();
    }

    /* The imports whose names some code contains. */
    private static List<String> imports(String source, String code) {
        return IMPORT.matcher(source)
                .results()
                .filter(line -> Pattern.compile("\\b" + line.group(1) + "\\b")
                        .matcher(code)
                        .find())
                .map(line -> line.group().strip())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/spring-boot.md"})
    void dependencies_are_those_of_the_samples(String document) {
        List<String> poms = sources("pom.xml");

        assertThat(blocks(XML, document))
                .hasSize(1)
                .allSatisfy(dependency -> assertThat(poms).anyMatch(pom -> pom.contains(dependency.indent(4))));
    }

    private static List<String> blocks(Pattern form, String document) {
        return form.matcher(read(PROJECT.resolve(document)))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static List<String> sources(String ending) {
        return Stream.of("samples", "spring-boot-starter/src/test")
                .flatMap(folder -> {
                    try (Stream<Path> files = Files.walk(PROJECT.resolve(folder))) {
                        return files
                                .filter(path -> path.toString().endsWith(ending))
                                .map(DocumentedCodeTest::read)
                                .toList()
                                .stream();
                    } catch (IOException failure) {
                        throw new UncheckedIOException(failure);
                    }
                })
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
