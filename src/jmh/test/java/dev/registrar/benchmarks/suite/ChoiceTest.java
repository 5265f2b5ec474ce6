package dev.registrar.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.benchmarks.Template;
import dev.registrar.benchmarks.report.Report;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.options.TimeValue;

/** The rows that the suite measures for a name. */
class ChoiceTest {
    private static final List<Row> ALL = AllRows.of(settings(SuiteSettings.DATA_SETS));

    private static SuiteSettings settings(List<Template> dataSets) {
        return new SuiteSettings(dataSets, TimeValue.NONE, 1, TimeValue.NONE, 1, false);
    }

    @Test
    void a_blank_name_chooses_all_rows_except_those_on_request() {
        assertThat(Choice.of("", ALL).rows())
                .hasSizeGreaterThan(200)
                .isEqualTo(ALL.stream().filter(row -> !row.onRequest()).toList());
    }

    @Test
    void the_page_names_the_rows_of_other_lengths() {
        assertThat(ALL.stream()
                        .filter(row -> row.length() != Length.USUAL)
                        .map(row -> row.id().row())
                        .distinct())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(Report.OTHER_LENGTHS).contains(name));
    }

    @Test
    void a_regular_expression_chooses_the_rows_whose_id_it_finds() {
        assertThat(ids(Choice.of("^append/single .*(tiny|small)", ALL)))
                .containsExactly("append/single dataset=tiny callers=1", "append/single dataset=small callers=1");
    }

    @Test
    void a_published_name_chooses_every_row_that_answers_it() {
        Choice choice = Choice.of("appendsingle", ALL);

        assertThat(ids(choice))
                .containsExactly("append/single dataset=tiny callers=1", "append/single dataset=small callers=1");
        assertThat(choice.explanation())
                .containsExactly(
                        "go-crablet, one client: Tiny Dataset Performance: AppendSingle: [append/single dataset=tiny callers=1]",
                        "go-crablet, one client: Small Dataset Performance: AppendSingle: [append/single dataset=small callers=1]");
    }

    @Test
    void a_published_name_is_not_a_regular_expression() {
        assertThat(ids(Choice.of("AppendIf_NoConflict_1", ALL)))
                .containsExactly(
                        "append-if/no-conflict dataset=tiny events=1 callers=1",
                        "append-if/no-conflict dataset=small events=1 callers=1");
        assertThat(ids(Choice.of("Append Performance: Single (Small)", ALL)))
                .containsExactly("append/single dataset=small callers=1");
    }

    @Test
    void a_part_of_a_published_name_chooses_the_rows_of_all_its_names() {
        assertThat(ids(Choice.of("ReadChannel_", ALL)))
                .contains(
                        "read/bulk as=stream dataset=tiny events=15000 callers=1",
                        "read/concurrent dataset=tiny callers=1");
    }

    @Test
    void a_name_that_only_a_simulation_answers_is_explained_with_its_command() {
        Choice choice = Choice.of("Append-If Benchmark", ALL);

        assertThat(choice.rows()).isEmpty();
        assertThat(choice.explanation())
                .containsExactly(
                        "go-crablet and its web application, in containers: Web-App Load Testing: Append-If Benchmark:"
                                + " answered over HTTP by Gatling's AppendIfSimulation",
                        "  mvn verify -pl gatling -am -DskipTests -Dgatling.skip=false"
                                + " -Dsimulation=AppendIfSimulation -Dprofile=seed");
    }

    @Test
    void an_unknown_name_is_explained_with_similar_names() {
        Choice choice = Choice.of("AppendIf_NoConflikt_12", ALL);

        assertThat(choice.rows()).isEmpty();
        assertThat(choice.explanation()).hasSize(11);
        assertThat(choice.explanation().getFirst()).startsWith("'AppendIf_NoConflikt_12' is neither");
        assertThat(choice.explanation().get(1)).isEqualTo("  AppendIf_NoConflict_12");
    }

    @Test
    void a_published_row_of_another_data_set_is_explained() {
        Choice choice =
                Choice.of("Append Performance: Tiny, 1 user, 1 event", AllRows.of(settings(List.of(Template.SMALL))));

        assertThat(choice.rows()).isEmpty();
        assertThat(choice.explanation()).last().asString().contains("no row on the chosen data set");
    }

    @Test
    void a_row_on_request_runs_if_the_text_matches_no_other() {
        assertThat(ids(Choice.of("resilience/", ALL))).isNotEmpty().noneMatch(id -> id.contains("stability"));
        assertThat(ids(Choice.of("stability", ALL))).containsExactly("resilience/stability dataset=small callers=10");
    }

    @Test
    void an_invalid_regular_expression_is_an_error() {
        assertThatThrownBy(() -> Choice.of("(single", ALL)).isInstanceOf(PatternSyntaxException.class);
    }

    private static List<String> ids(Choice choice) {
        return choice.rows().stream().map(row -> row.id().toString()).toList();
    }
}
