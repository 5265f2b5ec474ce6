package dev.registrar.http.problem;

import dev.registrar.security.Caller;
import dev.registrar.security.Role;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a projection's failure, as the caller may read it. It may quote the event, which is for auditors only.
 */
public final class FailureText {
    private static final String REDACTED = "redacted, because it may quote the event; an auditor may read it";
    private static final Pattern EXCEPTION = Pattern.compile("(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error)(?=:|$)");

    private FailureText() {}

    /** The text for the caller of the current request. */
    public static String of(String text) {
        return of(text, Caller.current().has(Role.AUDITOR));
    }

    /** The text; for a reader who is no auditor, only the name of the exception. */
    public static String of(String text, boolean isAuditor) {
        if (isAuditor) {
            return text;
        }
        Matcher exception = EXCEPTION.matcher(text);
        return exception.lookingAt() ? "%s: %s".formatted(exception.group(), REDACTED) : REDACTED;
    }
}
