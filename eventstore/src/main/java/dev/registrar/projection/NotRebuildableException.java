package dev.registrar.projection;

import java.util.List;

/**
 * A projection cannot be rebuilt here: it is no view, a view that another version of the code built, or a view on whose
 * tables other objects of the database depend.
 */
public final class NotRebuildableException extends RuntimeException {
    private NotRebuildableException(String message) {
        super(message);
    }

    static NotRebuildableException ofAutomation(String name) {
        return new NotRebuildableException(
                "'%s' is an automation, and only views can be rebuilt: an automation would send its commands again"
                        .formatted(name));
    }

    static NotRebuildableException ofRelay(String name) {
        return new NotRebuildableException(
                "'%s' is a relay, and only views can be rebuilt: a relay would publish its events again"
                        .formatted(name));
    }

    static NotRebuildableException ofDependents(View view, List<String> dependents) {
        return new NotRebuildableException(
                "View '%s' cannot be rebuilt, since that would drop what depends on its tables: %s. Drop it before the rebuild, and create it again afterwards"
                        .formatted(view.name(), String.join(", ", dependents)));
    }

    static NotRebuildableException ofOtherVersion(View view, int built) {
        return new NotRebuildableException(
                "View '%s' was built by version %s, and this instance has version %s: send the request to an instance that has version %s"
                        .formatted(view.name(), built, view.version(), built));
    }
}
