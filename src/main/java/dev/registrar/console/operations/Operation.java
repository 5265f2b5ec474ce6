package dev.registrar.console.operations;

import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.projection.ProjectionAdministration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an operator can do with a projection. Each is confirmed first, on a page that says what will happen. */
enum Operation {
    PAUSE("Pause", false, "'%s' is paused."),
    RESUME("Resume", false, "'%s' continues."),
    SKIP("Skip the failed event", true, "'%s' has skipped the event and continues."),
    REBUILD(
            "Rebuild",
            false,
            "Rebuild of '%s' started. While it runs, its progress is shown below; then the new copy replaces the present one."),
    RESET("Reset", true, "'%s' is being filled again."),
    RETRY_ALL("Retry all dead letters", false, "'%s' has tried all dead letters again; those below have failed again."),
    RETRY("Retry", false, "'%s' has tried the event again; if it has failed again, it is below."),
    DISCARD("Discard", true, "The event will not be handled by '%s'.");

    private final String button;
    private final boolean dangerous;
    private final String done;

    Operation(String button, boolean dangerous, String done) {
        this.button = button;
        this.dangerous = dangerous;
        this.done = done;
    }

    static Optional<Operation> named(String path) {
        return Arrays.stream(values())
                .filter(operation -> operation.path().equals(path))
                .findFirst();
    }

    /** The name in the addresses of pages. */
    public String path() {
        return KebabCase.of(this);
    }

    public String button() {
        return button;
    }

    /** Whether it cannot be undone. */
    public boolean isDangerous() {
        return dangerous;
    }

    /** Whether it concerns one dead letter. */
    public boolean isOfDeadLetter() {
        return this == RETRY || this == DISCARD;
    }

    /** Whether a projection can be the subject of this operation now. */
    boolean isOffered(ShownProjection projection) {
        return switch (this) {
            case PAUSE -> !projection.status().state().equals("paused");
            case RESUME -> !projection.status().state().equals("running");
            case SKIP -> projection.skippable() != null;
            case REBUILD -> projection.isView() && projection.status().rebuild().isEmpty();
            case RESET -> projection.isView();
            case RETRY, RETRY_ALL -> !projection.isView() && projection.status().deadLetters() > 0;
            case DISCARD -> projection.status().deadLetters() > 0;
        };
    }

    /** What was done. */
    String done(String name) {
        return done.formatted(name);
    }

    /**
     * Carries out the operation.
     *
     * @param position of the event to skip, retry or discard; null for all other operations
     */
    void run(ProjectionAdministration administration, String name, @Nullable Position position) {
        switch (this) {
            case PAUSE -> administration.pause(name);
            case RESUME -> administration.resume(name);
            case SKIP -> administration.skip(name, orStart(position));
            case REBUILD -> administration.rebuild(name);
            case RESET -> administration.reset(name);
            case RETRY_ALL -> administration.retryAll(name, CallingActor.current());
            case RETRY -> administration.retry(name, orStart(position), CallingActor.current());
            case DISCARD -> administration.discard(name, orStart(position), CallingActor.current());
        }
    }

    private static Position orStart(@Nullable Position position) {
        return position == null ? Position.START : position;
    }
}
