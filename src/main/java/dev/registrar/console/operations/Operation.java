package dev.registrar.console.operations;

import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.ProjectionAdministration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an operator can do with a projection. Each is confirmed first, on a page that says what will happen. */
enum Operation {
    PAUSE("Pause", false),
    RESUME("Resume", false),
    SKIP("Skip the failed event", true),
    REBUILD("Rebuild", false),
    RESET("Reset", true);

    private final String button;
    private final boolean dangerous;

    Operation(String button, boolean dangerous) {
        this.button = button;
        this.dangerous = dangerous;
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

    /** Whether a projection can be the subject of this operation now. */
    boolean isOffered(ShownProjection projection) {
        return switch (this) {
            case PAUSE -> !projection.state().equals("paused");
            case RESUME -> !projection.state().equals("running");
            case SKIP -> projection.skippable() != null;
            case REBUILD -> projection.isView() && projection.rebuild() == null;
            case RESET -> projection.isView();
        };
    }

    /** Why the operation is not possible now. */
    String refusal(ShownProjection projection) {
        String name = projection.name();
        return switch (this) {
            case PAUSE, RESUME -> "'%s' is %s already.".formatted(name, projection.state());
            case SKIP -> "'%s' has not stopped at an event, so there is nothing to skip.".formatted(name);
            case REBUILD, RESET ->
                projection.isView()
                        ? "'%s' is being rebuilt already.".formatted(name)
                        : "'%s' is an automation and cannot be rebuilt: it would send its commands again."
                                .formatted(name);
        };
    }

    /** What will happen, in one sentence. */
    String consequence(ShownProjection projection) {
        boolean isView = projection.isView();
        return switch (this) {
            case PAUSE ->
                isView
                        ? "All instances stop updating '%s', and its pages show the data of now until you resume it."
                                .formatted(projection.name())
                        : "All instances stop '%s', and it sends no command until you resume it; it then handles what it has missed."
                                .formatted(projection.name());
            case RESUME ->
                "All instances continue '%s' after position %s, and handle the %s that it has missed."
                        .formatted(
                                projection.name(),
                                projection.position(),
                                Numbers.count(projection.lagEvents(), "event"));
            case SKIP ->
                "'%s' never handles the event at position %s, which is recorded, and continues with the next event."
                        .formatted(projection.name(), projection.skippable());
            case REBUILD ->
                "A second copy of '%s' is built from the first event up to position %s, while its pages go on reading the present one, and replaces it when it is complete.%s"
                        .formatted(
                                projection.name(),
                                projection.head(),
                                projection.state().equals("paused")
                                        ? " The projection stays paused then: resume it to follow new events."
                                        : "");
            case RESET ->
                "The tables of '%s' are emptied and filled again from the first event, and until then its pages show only the part that is filled."
                        .formatted(projection.name());
        };
    }

    /** What was done. */
    String done(String name) {
        return switch (this) {
            case PAUSE -> "'%s' is paused.".formatted(name);
            case RESUME -> "'%s' continues.".formatted(name);
            case SKIP -> "'%s' has skipped the event and continues.".formatted(name);
            case REBUILD ->
                "Rebuild of '%s' started. While it runs, its progress is shown below; then the new copy replaces the present one."
                        .formatted(name);
            case RESET -> "'%s' is being filled again.".formatted(name);
        };
    }

    /**
     * Carries out the operation.
     *
     * @param position of the event to skip; null for all other operations
     */
    void run(ProjectionAdministration administration, String name, @Nullable Position position) {
        switch (this) {
            case PAUSE -> administration.pause(name);
            case RESUME -> administration.resume(name);
            case SKIP -> administration.skip(name, position == null ? Position.START : position);
            case REBUILD -> administration.rebuild(name);
            case RESET -> administration.reset(name);
        }
    }
}
