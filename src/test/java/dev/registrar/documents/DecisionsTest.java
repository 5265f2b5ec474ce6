package dev.registrar.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each decision is a page with a title, a status and a date, which the index repeats. */
class DecisionsTest {
    private static final Path FOLDER = Path.of("docs/decisions");
    private static final Path INDEX = FOLDER.resolve("README.md");
    private static final int MOST_WORDS = 700;

    private static final Pattern HEAD = Pattern.compile(
            "# (\\d+)\\. (.+)\\n\\nStatus: (accepted|superseded by \\[decision \\d+]\\([^)]+\\)), (\\d{4}-\\d\\d-\\d\\d)\\b");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| \\d+ \\|.*$");
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern NAMED = Pattern.compile("\\b[Dd]ecision (\\d+)\\b");

    @Test
    void the_index_has_the_title_status_and_date_of_each_page() {
        List<String> rows = ROW.matcher(ProjectFiles.read(INDEX))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(rows).isNotEmpty().isEqualTo(pages().map(DecisionsTest::row).toList());
    }

    @Test
    void the_numbers_of_the_pages_have_no_gap() {
        List<Integer> numbers = pages().map(DecisionsTest::number).toList();

        assertThat(numbers)
                .isEqualTo(IntStream.rangeClosed(1, numbers.size()).boxed().toList());
    }

    @Test
    void each_decision_fits_a_page() {
        assertThat(pages())
                .allSatisfy(
                        page -> assertThat(WORD.matcher(ProjectFiles.read(page)).results())
                                .as(page.toString())
                                .hasSizeLessThan(MOST_WORDS));
    }

    @Test
    void documents_and_sources_refer_to_decisions_that_hold() {
        List<Integer> accepted = pages().filter(page -> head(page).group(3).equals("accepted"))
                .map(DecisionsTest::number)
                .toList();

        assertThat(ProjectFiles.texts())
                .filteredOn(file -> !file.startsWith(FOLDER))
                .allSatisfy(file -> assertThat(NAMED.matcher(ProjectFiles.read(file))
                                .results()
                                .map(named -> Integer.valueOf(named.group(1))))
                        .as(file.toString())
                        .allMatch(accepted::contains));
    }

    private static Stream<Path> pages() {
        return ProjectFiles.documents().stream().filter(file -> FOLDER.equals(file.getParent()) && !file.equals(INDEX));
    }

    private static String row(Path page) {
        MatchResult head = head(page);
        return "| %s | [%s](%s) | %s | %s |"
                .formatted(head.group(1), head.group(2), page.getFileName(), head.group(3), head.group(4));
    }

    /* The number of the title is that of the file. */
    private static int number(Path page) {
        int number = Integer.parseInt(head(page).group(1));
        assertThat(page.getFileName().toString()).startsWith("%04d-".formatted(number));
        return number;
    }

    private static MatchResult head(Path page) {
        Matcher head = HEAD.matcher(ProjectFiles.read(page));
        assertThat(head.lookingAt()).as("title, status and date of %s", page).isTrue();
        return head.toMatchResult();
    }
}
