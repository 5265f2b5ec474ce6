package dev.registrar.projection;

/** A projection cannot be rebuilt here: it is an automation, or a view that another version of the code built. */
public final class NotRebuildableException extends RuntimeException {
    private NotRebuildableException(String message) {
        super(message);
    }

    static NotRebuildableException ofAutomation(String name) {
        return new NotRebuildableException(
                "'%s' is an automation, and only views can be rebuilt: an automation would send its commands again"
                        .formatted(name));
    }

    static NotRebuildableException ofOtherVersion(View view, int built) {
        return new NotRebuildableException(
                "View '%s' was built by version %d, and this instance has version %d: send the request to an instance that has version %d"
                        .formatted(view.name(), built, view.version(), built));
    }
}
