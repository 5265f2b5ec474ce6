package dev.registrar.console.operations;

import dev.registrar.http.problem.FailureText;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.projection.Skip;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a projection as a page shows it. Its failures are redacted unless the visitor is an auditor.
 *
 * @param lagTime how long the first unhandled event has been stored, in words
 * @param movedAt when it last handled an event
 * @param skippable the position of the event that can be skipped; null if it has not stopped at an event
 */
record ShownProjection(
        String name,
        boolean isView,
        String state,
        int version,
        long position,
        long head,
        long lagEvents,
        String lagTime,
        long events,
        long skipped,
        List<ShownSkip> skips,
        Instant movedAt,
        @Nullable ShownFailure failure,
        @Nullable ShownRebuild rebuild,
        @Nullable Long skippable,
        Chart lag) {

    /** @param position of the event; null if the failure concerned several events */
    record ShownFailure(String text, @Nullable Long position, Instant at) {
        static @Nullable ShownFailure of(ProjectionStatus.@Nullable Failure failure, boolean isAuditor) {
            return failure == null
                    ? null
                    : new ShownFailure(
                            FailureText.of(failure.message(), isAuditor),
                            failure.position() == null
                                    ? null
                                    : failure.position().value(),
                            failure.at());
        }
    }

    record ShownSkip(long position, String by, String reason, Instant at) {
        static ShownSkip of(Skip skip, boolean isAuditor) {
            return new ShownSkip(
                    skip.position().value(), skip.by().text(), FailureText.of(skip.reason(), isAuditor), skip.at());
        }
    }

    /**
     * A generation that is built.
     *
     * @param percent of the positions, 0 to 100
     * @param timeLeft in words; null if it cannot be estimated
     */
    record ShownRebuild(
            int percent,
            String state,
            String events,
            String rate,
            String remaining,
            @Nullable String timeLeft,
            Instant startedAt,
            @Nullable ShownFailure failure) {

        static ShownRebuild of(ProjectionStatus.Rebuild rebuild, boolean isAuditor) {
            long all = rebuild.position().value() + rebuild.remaining();
            double positionsPerSecond = rebuild.events() == 0
                    ? 0
                    : rebuild.eventsPerSecond() * rebuild.position().value() / rebuild.events();
            return new ShownRebuild(
                    all == 0 ? 100 : (int) (rebuild.position().value() * 100 / all),
                    rebuild.state(),
                    Numbers.count(rebuild.events(), "event"),
                    Numbers.rate(rebuild.eventsPerSecond()),
                    Numbers.count(rebuild.remaining(), "position"),
                    positionsPerSecond > 0
                            ? Numbers.duration(Duration.ofSeconds((long) (rebuild.remaining() / positionsPerSecond)))
                            : null,
                    rebuild.startedAt(),
                    ShownFailure.of(rebuild.failure(), isAuditor));
        }
    }

    static ShownProjection of(ProjectionStatus status, List<Double> lags, boolean isAuditor) {
        ShownRebuild rebuild =
                status.rebuild().map(next -> ShownRebuild.of(next, isAuditor)).orElse(null);
        ShownFailure failure = ShownFailure.of(status.failure(), isAuditor);
        return new ShownProjection(
                status.name(),
                status.kind().equals("view"),
                status.state(),
                status.version(),
                status.position().value(),
                status.head().value(),
                status.lagEvents(),
                Numbers.duration(status.lag()),
                status.events(),
                status.skipped(),
                status.skips().stream()
                        .map(skip -> ShownSkip.of(skip, isAuditor))
                        .toList(),
                status.movedAt(),
                failure,
                rebuild,
                skippable(status, failure, rebuild),
                chart(status, lags));
    }

    private static @Nullable Long skippable(
            ProjectionStatus status, @Nullable ShownFailure failure, @Nullable ShownRebuild rebuild) {
        if (status.isStopped() && failure != null) {
            return failure.position();
        }
        boolean rebuildStopped =
                status.rebuild().filter(ProjectionStatus.Rebuild::isStopped).isPresent();
        return rebuildStopped && rebuild != null && rebuild.failure() != null
                ? rebuild.failure().position()
                : null;
    }

    private static Chart chart(ProjectionStatus status, List<Double> lags) {
        long most =
                Math.round(lags.stream().mapToDouble(Double::doubleValue).max().orElse(0));
        return Chart.of(
                lags,
                MeterHistory.MOST_SAMPLES,
                "Lag of %s over the last 5 minutes: at most %s behind, now %s"
                        .formatted(
                                status.name(),
                                Numbers.count(Math.max(most, status.lagEvents()), "event"),
                                Numbers.count(status.lagEvents())));
    }

    /** The class of the badge that shows the state. */
    public String badge() {
        return switch (state) {
            case "running" -> "good";
            case "stopped" -> "bad";
            default -> "warn";
        };
    }

    /** What the operator can do now. */
    public List<Operation> operations() {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.isOffered(this))
                .toList();
    }

    public String lagText() {
        return lagEvents == 0 ? "none" : "%s, %s".formatted(Numbers.count(lagEvents, "event"), lagTime);
    }
}
