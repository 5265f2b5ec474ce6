package dev.registrar.http;

import dev.registrar.security.Caller;
import dev.registrar.security.Role;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a projection's failure, as the caller may read it. It may quote the event, which is for auditors only.
 */
final class FailureText {
    private static final String REDACTED = "redacted, because it may quote the event; an auditor may read it";
    private static final Pattern EXCEPTION = Pattern.compile("(?:[a-z]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error)(?=:|$)");

    private FailureText() {}

    /** The text; for a caller who is no auditor, only the name of the exception. */
    static String of(String text) {
        if (Caller.current().has(Role.AUDITOR)) {
            return text;
        }
        Matcher exception = EXCEPTION.matcher(text);
        return exception.lookingAt() ? "%s: %s".formatted(exception.group(), REDACTED) : REDACTED;
    }
}
