package dev.registrar.http;

import dev.registrar.http.problem.KeptRefusals;
import dev.registrar.http.problem.KeptRefusals.KeptRefusal;
import dev.registrar.http.problem.Unknown;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.List;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Finds refused commands. Their correlation id is a parameter, as it is for executed ones: it may have characters that
 * a path must not have.
 */
@RestController
@RequestMapping(path = "/api/refusals", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Commands")
final class RefusalController {
    private final KeptRefusals refusals;

    RefusalController(KeptRefusals refusals) {
        this.refusals = refusals;
    }

    record RefusedCommands(List<RefusedCommand> refusals) {}

    record RefusedCommand(
            Instant refusedAt,
            @Schema(example = "EnrollStudent") String commandType,

            @Schema(example = "course-full", description = "The code of the problem")
            String code,

            @Schema(example = "409", description = "The status of the problem")
            int status) {

        static RefusedCommand of(KeptRefusal kept) {
            return new RefusedCommand(
                    kept.refusedAt(),
                    kept.commandType(),
                    kept.code(),
                    kept.status().value());
        }
    }

    @GetMapping
    @Operation(
            summary = "List the refused commands of a correlation id, the latest first",
            description =
                    "At most 20, among the latest refusals of the instance that answers. They are kept in memory, without the ids and texts of the command: a restart removes them, and other instances have their own")
    ResponseEntity<RefusedCommands> refusalsOfCorrelation(
            @RequestParam
                    @Pattern(regexp = CommandController.CORRELATION_ID, message = CommandController.CORRELATION_MESSAGE) @Parameter(description = "The X-Correlation-Id of the answer that refused the command")
                    String correlationId) {
        List<KeptRefusal> found = refusals.find(correlationId);
        if (found.isEmpty()) {
            return Unknown.refusal(correlationId, refusals.most()).response();
        }
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noStore())
                .body(new RefusedCommands(found.stream().map(RefusedCommand::of).toList()));
    }
}
