package dev.registrar.http.gocrablet;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.registrar.dataset.DataSet;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.dcb.LoadTestData;
import dev.registrar.security.ConditionalOnLocalMode;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that go-crablet's load tests call before they begin. Present only if a setting enables it. */
@RestController
@RequestMapping(path = Paths.GO_CRABLET, produces = MediaType.APPLICATION_JSON_VALUE)
@ConditionalOnBooleanProperty("registrar.load-test.enabled")
@ConditionalOnLocalMode
final class GoCrabletLoadTestController {
    private final LoadTestData data;

    GoCrabletLoadTestController(LoadTestData data) {
        this.data = data;
    }

    record Cleared(boolean success, String message) {}

    /** The contents of a data set. */
    record Loaded(
            boolean success,
            String message,
            @JsonProperty("dataset_size") String size,
            int courses,
            int students,
            int enrollments) {}

    @PostMapping("/cleanup")
    Cleared cleanup() {
        data.clear();
        return new Cleared(true, "The store is empty");
    }

    @PostMapping("/load-test-data")
    Loaded load(@RequestParam String size) {
        DataSet dataSet = data.load(size);
        return new Loaded(
                true,
                "The store has the data set '%s'".formatted(size),
                size,
                dataSet.courses(),
                dataSet.students(),
                dataSet.enrollments());
    }
}
