package dev.registrar.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a start that is given a data set says before it loads it. */
@ExtendWith(OutputCaptureExtension.class)
class DataSetRunnerTest {
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final CpuExecutor executor = CpuExecutor.open(CpuOptions.defaults());
    private final DataSetLoader loader = new DataSetLoader(store, new EnrollmentEventCodec(), executor);

    @AfterEach
    void close() {
        executor.close();
    }

    @Test
    void an_empty_store_is_filled(CapturedOutput output) {
        run(DataSet.TINY);

        assertThat(output).contains("Loading the data set 'tiny': 5 courses, 10 students and 20 enrollments");
        assertThat(store.count(Query.all())).isEqualTo(35);
    }

    @Test
    void other_data_stays_and_is_mentioned(CapturedOutput output) {
        store.append(List.of(Event.of("CourseDefined", "{}", "course:maths")));

        run(DataSet.TINY);

        assertThat(output)
                .contains("The store has other events, up to position 1, which stay."
                        + " Loading beside them the data set 'tiny': 5 courses");
        assertThat(store.count(Query.all())).isEqualTo(36);
    }

    @Test
    void a_data_set_that_the_store_has_is_not_loaded_again(CapturedOutput output) {
        run(DataSet.TINY);

        run(DataSet.TINY);

        assertThat(output).contains("The store already has the data set 'tiny': nothing is loaded");
        assertThat(store.count(Query.all())).isEqualTo(35);
    }

    @Test
    void the_rest_of_an_interrupted_load_is_loaded(CapturedOutput output) {
        List<Integer> progress = new ArrayList<>();
        assertThatThrownBy(() -> loader.load(DataSet.SMALL, loaded -> {
                    progress.add(loaded);
                    if (loaded == 7_000) {
                        throw new IllegalStateException("broken off");
                    }
                }))
                .hasMessage("broken off");
        assertThat(progress).hasSize(7).isSorted();

        run(DataSet.SMALL);

        assertThat(output).contains("The store has 7,000 of the 30,500 events of the data set 'small'");
        assertThat(store.count(Query.all())).isEqualTo(30_500);
    }

    @Test
    void a_data_set_with_the_ids_of_another_is_refused_in_one_sentence() {
        run(DataSet.TINY);

        assertThatThrownBy(() -> run(DataSet.SMALL))
                .isInstanceOfSatisfying(DataSetConflictException.class, conflict -> {
                    FailureAnalysis shown = new DataSetConflictFailureAnalyzer().analyze(conflict, conflict);
                    assertThat(shown.getDescription())
                            .isEqualTo(
                                    "The store already has the course 'course-1' of the data set 'tiny', at position 1:"
                                            + " load the data set 'small' into an empty store.");
                    assertThat(shown.getAction()).contains("registrar.store.schema");
                });
        assertThat(store.count(Query.all())).isEqualTo(35);
    }

    private void run(DataSet dataSet) {
        new DataSetRunner(dataSet, store, loader).run(new DefaultApplicationArguments());
    }
}
