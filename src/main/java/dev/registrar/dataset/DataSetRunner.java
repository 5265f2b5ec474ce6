package dev.registrar.dataset;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.annotation.Order;

/** Loads a data set before the warm-up. Logs first what it will do with the data that the store has. */
@Order(0)
final class DataSetRunner implements ApplicationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(DataSetRunner.class);

    private final DataSet dataSet;
    private final EventStore store;
    private final DataSetLoader loader;

    DataSetRunner(DataSet dataSet, EventStore store, DataSetLoader loader) {
        this.dataSet = dataSet;
        this.store = store;
        this.loader = loader;
    }

    /** @throws DataSetConflictException if the store has courses of these ids that are not the data set's */
    @Override
    public void run(ApplicationArguments arguments) {
        String name = KebabCase.of(dataSet);
        int loaded = loader.loaded(dataSet);
        LOG.info("{}", plan(name, loaded));
        if (loaded < dataSet.size()) {
            // The progress bar is for the terminal, not for the log.
            ProgressBar bar = new ProgressBar(System.out, "Loading " + name, loaded, dataSet.size());
            loader.load(dataSet, bar::show);
        }
    }

    private String plan(String name, int loaded) {
        if (loaded == dataSet.size()) {
            return "The store already has the data set '%s': nothing is loaded".formatted(name);
        }
        if (loaded > 0) {
            return String.format(
                    Locale.ENGLISH,
                    "The store has %,d of the %,d events of the data set '%s': the others are loaded",
                    loaded,
                    dataSet.size(),
                    name);
        }
        String what = String.format(
                Locale.ENGLISH,
                "the data set '%s': %,d courses, %,d students and %,d enrollments",
                name,
                dataSet.courses(),
                dataSet.students(),
                dataSet.enrollments());
        Position last = store.head().position();
        return last.equals(Position.START)
                ? "Loading %s".formatted(what)
                : "The store has other events, up to position %s, which stay. Loading beside them %s"
                        .formatted(last, what);
    }
}
