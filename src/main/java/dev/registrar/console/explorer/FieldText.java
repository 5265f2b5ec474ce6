package dev.registrar.console.explorer;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/**
 * The form in which a type or a tag is written in an input field and in an address; templates call it by its bean's
 * name. A field has one line and loses some characters, so those that it could lose are escapes: {@code \n},
 * {@code \r}, {@code \t}, {@code \}{@code u0041}, and two backslashes for one.
 */
@Component("fieldText")
final class FieldText {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:([\\\\nrt])|u(\\p{XDigit}{4}))");
    private static final String SPACE = "\\u0020";

    /** The text of a field that means a value. */
    public static String of(String value) {
        String field = Visible.line(value.replace("\\", "\\\\"));
        if (field.startsWith(" ")) {
            field = SPACE + field.substring(1);
        }
        return field.endsWith(" ") ? field.substring(0, field.length() - 1) + SPACE : field;
    }

    /** The value that a field means; spaces around it do not belong to it. A backslash before any other text stays. */
    static String value(String field) {
        return ESCAPE.matcher(field.strip()).replaceAll(escape -> Matcher.quoteReplacement(meaning(escape)));
    }

    private static String meaning(MatchResult escape) {
        String sign = escape.group(1);
        if (sign == null) {
            return String.valueOf((char) Integer.parseInt(escape.group(2), 16));
        }
        return switch (sign) {
            case "n" -> "\n";
            case "r" -> "\r";
            case "t" -> "\t";
            default -> "\\";
        };
    }
}
