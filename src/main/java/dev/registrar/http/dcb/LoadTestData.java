package dev.registrar.http.dcb;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.Deadline;
import dev.registrar.dataset.DataSet;
import dev.registrar.dataset.DataSetConflictException;
import dev.registrar.dataset.DataSetLoader;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.problem.InvalidValueException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/** Loads and empties the store for load tests. Present only if a setting enables it. */
@Component
@ConditionalOnBooleanProperty("registrar.load-test.enabled")
public final class LoadTestData {
    private static final Logger LOG = LoggerFactory.getLogger(LoadTestData.class);

    private final StoreClearing clearing;
    private final DataSetLoader loader;

    LoadTestData(StoreClearing clearing, EventStore store, EnrollmentEventCodec codec, CpuExecutor executor) {
        this.clearing = clearing;
        this.loader = new DataSetLoader(store, codec, executor);
        LOG.warn("Load tests are enabled: every client of this service can empty its event store");
    }

    /**
     * Loads a data set into the empty store. The request's deadline does not apply.
     *
     * @param size the name of the data set
     * @throws InvalidValueException if no data set has the name
     * @throws DataSetConflictException if the store has other events
     */
    public DataSet load(String size) {
        DataSet dataSet = Arrays.stream(DataSet.values())
                .filter(known -> KebabCase.of(known).equals(size))
                .findAny()
                .orElseThrow(() -> new InvalidValueException("/size", "must be one of " + names()));
        Deadline.runWithout(() -> loader.load(dataSet, loaded -> {}));
        return dataSet;
    }

    /** Empties the store. */
    public void clear() {
        clearing.clear();
    }

    private static String names() {
        return Arrays.stream(DataSet.values()).map(KebabCase::of).collect(Collectors.joining(", "));
    }
}
