package dev.registrar.http.dcb;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.Deadline;
import dev.registrar.dataset.DataSet;
import dev.registrar.dataset.DataSetLoader;
import dev.registrar.dataset.StoreClearing;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.dcb.DcbAppendController.AppendAnswer;
import dev.registrar.http.dcb.DcbAppendController.AppendBody;
import dev.registrar.http.dcb.DcbController.HeadAnswer;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.security.ConditionalOnLocalMode;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints for load tests: load data, empty the store, measure a baseline; the first two also as go-crablet's load
 * tests call them. Present only if a setting enables it.
 */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
@ConditionalOnBooleanProperty("registrar.load-test.enabled")
@ConditionalOnLocalMode
final class LoadTestController {
    private static final Logger LOG = LoggerFactory.getLogger(LoadTestController.class);

    private final DcbAppendController appends;
    private final StoreClearing clearing;
    private final DataSetLoader loader;

    LoadTestController(
            DcbAppendController appends,
            StoreClearing clearing,
            EventStore store,
            EnrollmentEventCodec codec,
            CpuExecutor executor) {
        this.appends = appends;
        this.clearing = clearing;
        this.loader = new DataSetLoader(store, codec, executor);
        LOG.warn("Load tests are enabled: every client of this service can empty its event store");
    }

    /** The contents of a data set. */
    record Loaded(long durationInMicroseconds, String size, int courses, int students, int enrollments, int events) {}

    @PostMapping("/load-test/data")
    Loaded load(@RequestParam String size) {
        long started = System.nanoTime();
        DataSet dataSet = loaded(size);
        return new Loaded(
                DcbOperations.microsecondsSince(started),
                size,
                dataSet.courses(),
                dataSet.students(),
                dataSet.enrollments(),
                dataSet.size());
    }

    /* Into the empty store. The request's deadline does not apply. */
    private DataSet loaded(String size) {
        DataSet dataSet = Arrays.stream(DataSet.values())
                .filter(known -> KebabCase.of(known).equals(size))
                .findAny()
                .orElseThrow(() -> new InvalidValueException(
                        "/size",
                        "must be one of "
                                + Arrays.stream(DataSet.values())
                                        .map(KebabCase::of)
                                        .collect(Collectors.joining(", "))));
        Deadline.runWithout(() -> loader.load(dataSet, progress -> {}));
        return dataSet;
    }

    @PostMapping("/load-test/clear")
    HeadAnswer clear() {
        clearing.clear();
        return new HeadAnswer(0);
    }

    /** Does what an append over HTTP does, except the append itself: the baseline of its cost. */
    @PostMapping(path = "/load-test/empty", consumes = MediaType.APPLICATION_JSON_VALUE)
    AppendAnswer empty(@RequestBody AppendBody body, HttpServletRequest request) {
        long started = System.nanoTime();
        long last = appends.request(body, IdempotencyKeyHeader.key(request))
                .events()
                .size();
        return new AppendAnswer(DcbOperations.microsecondsSince(started), false, last, List.of(1L, last), null);
    }

    record Cleared(boolean success, String message) {}

    @PostMapping(Paths.GO_CRABLET + "/cleanup")
    Cleared cleanup() {
        clearing.clear();
        return new Cleared(true, "The store is empty");
    }

    /** The contents of a data set, as go-crablet's load tests expect them. */
    record LoadedData(
            boolean success,
            String message,
            @JsonProperty("dataset_size") String size,
            int courses,
            int students,
            int enrollments) {}

    @PostMapping(Paths.GO_CRABLET + "/load-test-data")
    LoadedData loadTestData(@RequestParam String size) {
        DataSet dataSet = loaded(size);
        return new LoadedData(
                true,
                "The store has the data set '%s'".formatted(size),
                size,
                dataSet.courses(),
                dataSet.students(),
                dataSet.enrollments());
    }
}
