package dev.registrar.http.dcb;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.Deadline;
import dev.registrar.dataset.DataSet;
import dev.registrar.dataset.DataSetConflictException;
import dev.registrar.dataset.DataSetLoader;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.admission.BodyLimitFilter;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.dcb.DcbController.AppendAnswer;
import dev.registrar.http.dcb.DcbController.HeadAnswer;
import dev.registrar.http.dcb.DcbRequests.AppendBody;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What load tests need beside the service: data, an empty store, a baseline. Present only if a setting enables it. */
@RestController
@RequestMapping(path = "/load-test", produces = MediaType.APPLICATION_JSON_VALUE)
@ConditionalOnBooleanProperty("registrar.load-test.enabled")
@Hidden
final class LoadTestController {
    private static final Logger LOG = LoggerFactory.getLogger(LoadTestController.class);

    private final StoreClearing clearing;
    private final DataSetLoader loader;
    private final DcbRequests requests;

    LoadTestController(
            StoreClearing clearing,
            EventStore store,
            EnrollmentEventCodec codec,
            CpuExecutor executor,
            DcbRequests requests) {
        this.clearing = clearing;
        this.loader = new DataSetLoader(store, codec, executor);
        this.requests = requests;
        LOG.warn("Load tests are enabled: every client of this service can empty its event store");
    }

    /** The contents of a data set. */
    record Loaded(long durationInMicroseconds, String size, int courses, int students, int enrollments, int events) {}

    /* Loading may take longer than the deadline of a request. */
    @PostMapping("/data")
    ResponseEntity<Object> load(@RequestParam String size) {
        long started = System.nanoTime();
        DataSet dataSet = Arrays.stream(DataSet.values())
                .filter(known -> name(known).equals(size))
                .findAny()
                .orElseThrow(() -> new InvalidValueException("/size", "must be one of " + names()));
        try {
            Deadline.runWithout(() -> loader.load(dataSet, loaded -> {}));
        } catch (DataSetConflictException conflict) {
            return Problem.response(Problem.of(HttpStatus.CONFLICT, "data-set-conflict", conflict.getMessage()));
        }
        return ResponseEntity.ok(new Loaded(
                DcbController.microsecondsSince(started),
                size,
                dataSet.courses(),
                dataSet.students(),
                dataSet.enrollments(),
                dataSet.size()));
    }

    @PostMapping("/clear")
    HeadAnswer clear() {
        clearing.clear();
        return new HeadAnswer(0);
    }

    /** Everything that an append over HTTP does, except the append itself: the baseline of its cost. */
    @PostMapping("/empty")
    AppendAnswer empty(HttpServletRequest request) {
        long started = System.nanoTime();
        Append append = requests.read(BodyLimitFilter.body(request), AppendBody.class)
                .append(requests.lockTags())
                .under(IdempotencyKeyHeader.key(request));
        long last = append.events().size();
        return new AppendAnswer(DcbController.microsecondsSince(started), false, last, List.of(1L, last), null);
    }

    private static String names() {
        return Arrays.stream(DataSet.values()).map(LoadTestController::name).collect(Collectors.joining(", "));
    }

    private static String name(DataSet dataSet) {
        return KebabCase.of(dataSet);
    }
}
