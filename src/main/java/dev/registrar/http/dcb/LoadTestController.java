package dev.registrar.http.dcb;

import dev.registrar.dataset.DataSet;
import dev.registrar.eventstore.Append;
import dev.registrar.http.admission.BoundedBody;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.dcb.DcbAnswers.AppendAnswer;
import dev.registrar.http.dcb.DcbAnswers.HeadAnswer;
import dev.registrar.http.dcb.DcbAppends.AppendBody;
import dev.registrar.security.ConditionalOnLocalMode;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for load tests: load data, empty the store, measure a baseline. Present only if a setting enables it. */
@RestController
@RequestMapping(path = "/load-test", produces = MediaType.APPLICATION_JSON_VALUE)
@ConditionalOnBooleanProperty("registrar.load-test.enabled")
@ConditionalOnLocalMode
final class LoadTestController {
    private final LoadTestData data;
    private final DcbRequests requests;

    LoadTestController(LoadTestData data, DcbRequests requests) {
        this.data = data;
        this.requests = requests;
    }

    /** The contents of a data set. */
    record Loaded(long durationInMicroseconds, String size, int courses, int students, int enrollments, int events) {}

    @PostMapping("/data")
    Loaded load(@RequestParam String size) {
        long started = System.nanoTime();
        DataSet dataSet = data.load(size);
        return new Loaded(
                DcbOperations.microsecondsSince(started),
                size,
                dataSet.courses(),
                dataSet.students(),
                dataSet.enrollments(),
                dataSet.size());
    }

    @PostMapping("/clear")
    HeadAnswer clear() {
        data.clear();
        return new HeadAnswer(0);
    }

    /** Does what an append over HTTP does, except the append itself: the baseline of its cost. */
    @PostMapping("/empty")
    AppendAnswer empty(HttpServletRequest request) {
        long started = System.nanoTime();
        Append append = requests.read(BoundedBody.body(request), AppendBody.class)
                .append(requests.lockTags())
                .under(IdempotencyKeyHeader.key(request));
        long last = append.events().size();
        return new AppendAnswer(DcbOperations.microsecondsSince(started), false, last, List.of(1L, last), null);
    }
}
