package dev.registrar.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.BenchmarkRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The names in docs/seeds.md exist. */
@Tag("documents")
class SeedsPageTest {
    private static final Path PAGE = Path.of("docs/seeds.md");
    private static final int FEATURES = 152;

    private static final Pattern FEATURE = Pattern.compile("(?m)^\\| (\\d+) \\|");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern CLASS = Pattern.compile("([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.(\\w+))?");
    private static final Pattern OPERATION = Pattern.compile("(GET|POST|PUT|DELETE) (/(?:api|dcb)/[^?]*)(?:\\?.*)?");
    private static final Pattern ROW = Pattern.compile("[a-z-]+/[a-z-]+");
    private static final Pattern SETTING = Pattern.compile("registrar\\.[a-z.-]+");

    @Test
    void each_feature_has_one_row() throws IOException {
        List<Integer> numbers = FEATURE.matcher(page())
                .results()
                .map(row -> Integer.parseInt(row.group(1)))
                .toList();

        assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, FEATURES).boxed().toList());
    }

    @Test
    void classes_and_their_methods_exist() throws IOException {
        Map<String, String> sources = sources();
        List<MatchResult> classes = named(CLASS);

        assertThat(classes).isNotEmpty();
        for (MatchResult named : classes) {
            String source = sources.getOrDefault(named.group(1), "");
            assertThat(source.isEmpty()).as(named.group()).isFalse();
            if (named.group(2) != null) {
                assertThat(Pattern.compile("\\b" + named.group(2) + "\\(")
                                .matcher(source)
                                .find())
                        .as(named.group())
                        .isTrue();
            }
        }
    }

    @Test
    void operations_are_those_of_the_described_api() throws IOException {
        String described = Files.readString(Path.of("src/test/resources/dev/registrar/http/description.txt"))
                .replaceAll(" +", " ");

        assertThat(named(OPERATION))
                .isNotEmpty()
                .allSatisfy(operation ->
                        assertThat(described).contains(" %s %s ".formatted(operation.group(1), operation.group(2))));
    }

    @Test
    void benchmark_rows_are_those_of_the_suite() throws IOException {
        Set<String> rows = BenchmarkRow.all().stream().map(BenchmarkRow::name).collect(Collectors.toSet());

        assertThat(named(ROW)).isNotEmpty().extracting(MatchResult::group).isSubsetOf(rows);
    }

    @Test
    void settings_and_meters_are_explained_elsewhere() throws IOException {
        Set<String> explained = new TreeSet<>();
        for (String document : List.of("docs/configuration.md", "docs/operations.md")) {
            Files.readAllLines(Path.of(document)).forEach(line -> explained.addAll(settings(line)));
        }
        List<MatchResult> settings = named(SETTING);

        assertThat(settings).isNotEmpty();
        for (MatchResult setting : settings) {
            assertThat(explained)
                    .as(setting.group())
                    .anyMatch(known -> (known + ".").startsWith(setting.group() + "."));
        }
    }

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    /* The code spans of the page that match the form as a whole. */
    private static List<MatchResult> named(Pattern form) throws IOException {
        return CODE.matcher(page())
                .results()
                .map(code -> form.matcher(code.group(1)))
                .filter(code -> code.matches())
                .map(code -> code.toMatchResult())
                .toList();
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String folder : List.of(
                "src",
                "gatling/src",
                "eventstore/src",
                "tck/src",
                "spring-boot-starter/src",
                "test-support/src",
                "samples")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
                }
            }
        }
        return sources;
    }

    /* In `registrar.a.b`, `.c` the second name is registrar.a.c. A list in YAML has a setting in each line. */
    private static List<String> settings(String line) {
        List<String> names = new ArrayList<>();
        String listed = line.replaceFirst(":.*", "");
        if (SETTING.matcher(listed).matches()) {
            names.add(listed);
        }
        String group = "";
        for (MatchResult code : CODE.matcher(line).results().toList()) {
            String name = code.group(1);
            if (SETTING.matcher(name).matches()) {
                names.add(name);
                group = name.substring(0, name.lastIndexOf('.'));
            } else if (name.startsWith(".") && !group.isEmpty()) {
                names.add(group + name);
            }
        }
        return names;
    }
}
