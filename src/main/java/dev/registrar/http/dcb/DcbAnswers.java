package dev.registrar.http.dcb;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answers of the event store's API, in the wire format of DCB clients. */
public final class DcbAnswers {
    private DcbAnswers() {}

    /** The answer to an append. */
    @Schema(name = "DcbAppended")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AppendAnswer(
            long durationInMicroseconds,
            boolean appendConditionFailed,

            @Schema(description = "Position of the last event") @Nullable Long position,

            @Schema(description = "Positions of the first and the last event") @Nullable List<Long> positions,

            @Schema(description = "Why nothing was appended") @Nullable ConflictAnswer conflict) {}

    /** The event that made the append condition fail. */
    @Schema(name = "DcbConflict")
    public record ConflictAnswer(DcbRequests.ItemBody item, long position, String type) {}

    /** The number of matching events. */
    @Schema(name = "DcbCount")
    record CountAnswer(long durationInMicroseconds, long numberOfMatchingEvents, long head) {}

    /** States, and the append condition that fails if they have changed. */
    @Schema(name = "DcbProjected")
    public record ProjectAnswer(
            long durationInMicroseconds,

            @JsonInclude(content = JsonInclude.Include.ALWAYS)
            Map<String, @Nullable Object> states,

            DcbAppends.ConditionBody appendCondition,
            long head) {}

    /** The position of the last event; 0 if there is no event. */
    @Schema(name = "DcbHead")
    record HeadAnswer(long head) {}
}
