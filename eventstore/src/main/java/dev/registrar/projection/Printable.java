package dev.registrar.projection;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** Makes sure that the failure of a follower can be logged and recorded: its message is the follower's own code. */
final class Printable {
    /** Chains of causes may be cyclic. */
    private static final int MOST_CAUSES = 20;

    private Printable() {}

    /** The failure, or another one in its place if it, or a cause of it, cannot be printed. */
    static Throwable of(Throwable failure) {
        try {
            failure.printStackTrace(new PrintWriter(Writer.nullWriter()));
            return failure;
        } catch (Throwable unprintable) {
            IllegalStateException instead = new IllegalStateException("%s, whose message or cause cannot be read: %s"
                    .formatted(
                            failure.getClass().getName(), unprintable.getClass().getName()));
            instead.setStackTrace(failure.getStackTrace());
            return instead;
        }
    }

    /** The text of a printable failure, with the message of its first cause: Spring's exceptions leave that out. */
    static String text(Throwable failure) {
        String text = failure.toString();
        String message = String.valueOf(causes(failure).getLast().getMessage());
        return text.contains(message) ? text : "%s: %s".formatted(text, message);
    }

    /** A printable failure and its causes. */
    static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MOST_CAUSES; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }
}
