package dev.registrar.console.operations;

import dev.registrar.eventstore.Position;
import dev.registrar.http.problem.FailureText;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.projection.ProjectionStatus.Failure;
import dev.registrar.projection.ProjectionStatus.Rebuild;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A projection on a page.
 *
 * @param lag during the last minutes
 * @param isAuditor whether the visitor may read the texts of failures
 */
record ShownProjection(ProjectionStatus status, Chart lag, boolean isAuditor) {

    static ShownProjection of(ProjectionStatus status, List<Double> lags, boolean isAuditor) {
        long most =
                Math.round(lags.stream().mapToDouble(Double::doubleValue).max().orElse(0));
        Chart lag = Chart.of(
                lags,
                MeterHistory.MOST_SAMPLES,
                "Lag of %s over the last 5 minutes: at most %s behind, now %s"
                        .formatted(
                                status.name(),
                                Numbers.count(Math.max(most, status.lagEvents()), "event"),
                                Numbers.count(status.lagEvents())));
        return new ShownProjection(status, lag, isAuditor);
    }

    public String name() {
        return status.name();
    }

    public boolean isView() {
        return status.kind().equals("view");
    }

    /** What it does to other systems when it handles an event, in words. */
    public String effect() {
        return status.kind().equals("relay") ? "it publishes no event" : "it sends no command";
    }

    /** The class of the badge that shows the state. */
    public String badge() {
        return switch (status.state()) {
            case "running" -> "good";
            case "stopped" -> "bad";
            default -> "warn";
        };
    }

    public String lagText() {
        return status.lagEvents() == 0
                ? "none"
                : "%s, %s".formatted(Numbers.count(status.lagEvents(), "event"), Numbers.duration(status.lag()));
    }

    /** What the operator can do now. */
    public List<Operation> operations() {
        return Arrays.stream(Operation.values())
                .filter(operation -> !operation.isOfDeadLetter() && operation.isOffered(this))
                .toList();
    }

    /** The text of a failure, as the visitor may read it. */
    public String textOf(String failure) {
        return FailureText.of(failure, isAuditor);
    }

    /** The generation that is built; null if there is none. */
    public @Nullable Rebuild rebuild() {
        return status.rebuild().orElse(null);
    }

    /** How much of the positions a rebuild has seen, 0 to 100. */
    public int percent(Rebuild rebuild) {
        long all = rebuild.position().value() + rebuild.remaining();
        return all == 0 ? 100 : (int) (rebuild.position().value() * 100 / all);
    }

    /** How long a rebuild will take, in words; null if it cannot be estimated. */
    public @Nullable String timeLeft(Rebuild rebuild) {
        double positionsPerSecond = rebuild.events() == 0
                ? 0
                : rebuild.eventsPerSecond() * rebuild.position().value() / rebuild.events();
        return positionsPerSecond > 0
                ? Numbers.duration(Duration.ofSeconds((long) (rebuild.remaining() / positionsPerSecond)))
                : null;
    }

    /** The position of the event that can be skipped; null if the projection has not stopped at an event. */
    public @Nullable Position skippable() {
        Rebuild rebuild = rebuild();
        Failure failure = status.isStopped()
                ? status.failure()
                : rebuild != null && rebuild.isStopped() ? rebuild.failure() : null;
        return failure == null ? null : failure.position();
    }
}
