package dev.registrar.http.problem;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.lang.reflect.AnnotatedElement;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The bounds of a whole number in a request: those of its constraints, otherwise those of its type. */
record WholeNumber(long least, long most) {
    private static final Pattern TEXT = Pattern.compile("-?[0-9]{1,19}");

    /**
     * The bounds of a number; null if the type is another one.
     *
     * @param declared has the constraints; null if nothing declares any
     */
    static @Nullable WholeNumber of(Class<?> type, @Nullable AnnotatedElement declared) {
        boolean isInt = type == int.class || type == Integer.class;
        if (!isInt && type != long.class && type != Long.class) {
            return null;
        }
        Min min = declared == null ? null : declared.getAnnotation(Min.class);
        Max max = declared == null ? null : declared.getAnnotation(Max.class);
        return new WholeNumber(
                min != null ? min.value() : isInt ? Integer.MIN_VALUE : Long.MIN_VALUE,
                max != null ? max.value() : isInt ? Integer.MAX_VALUE : Long.MAX_VALUE);
    }

    /** Whether a text of ASCII digits is within the bounds. */
    boolean contains(String text) {
        if (!TEXT.matcher(text).matches()) {
            return false;
        }
        try {
            long number = Long.parseLong(text);
            return number >= least && number <= most;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }

    /** A phrase that follows "must be". */
    @Override
    public String toString() {
        return "a whole number from " + least + " to " + most;
    }
}
