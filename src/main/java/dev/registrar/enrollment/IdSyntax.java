package dev.registrar.enrollment;

/** The form of the ids of courses and students. Every fold checks the ids of every event, so without a regex. */
final class IdSyntax {
    /** The form as a regular expression. */
    static final String PATTERN = "[A-Za-z0-9][A-Za-z0-9._~-]{0,63}";

    private static final int MAX_LENGTH = 64;

    private IdSyntax() {}

    static boolean matches(String id) {
        if (id.isEmpty() || id.length() > MAX_LENGTH || !isLetterOrDigit(id.charAt(0))) {
            return false;
        }
        for (int i = 1; i < id.length(); i++) {
            char next = id.charAt(i);
            if (!isLetterOrDigit(next) && next != '.' && next != '_' && next != '~' && next != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char one) {
        return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9');
    }
}
