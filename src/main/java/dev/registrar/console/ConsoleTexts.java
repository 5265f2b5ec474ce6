package dev.registrar.console;

import java.util.List;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** Long names in narrow columns; templates call it by its bean's name. */
@Component("consoleTexts")
public final class ConsoleTexts {
    private static final int LONGEST = 48;
    private static final int BEGINNING = 24;
    private static final int END = 8;

    /** Before a capital letter that follows a small one or a digit, and after a character between words. */
    private static final Pattern BREAK = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[._:/-])(?=\\w)");

    /** The text, or its beginning and its end if it has more than {@value #LONGEST} characters. */
    public String shortened(String text) {
        int points = text.codePointCount(0, text.length());
        return points <= LONGEST
                ? text
                : text.substring(0, text.offsetByCodePoints(0, BEGINNING))
                        + "…"
                        + text.substring(text.offsetByCodePoints(text.length(), -END));
    }

    /** The parts of a name between which a line may break. */
    public List<String> parts(String name) {
        return List.of(BREAK.split(name));
    }
}
