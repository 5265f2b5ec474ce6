package dev.registrar.imports;

import java.util.regex.Pattern;

/**
 * Text as a cell of a CSV file has it. A spreadsheet runs a cell that begins as a formula does, so such a text gets an
 * apostrophe in front. The import takes it away again, so each text comes back as it was.
 *
 * @see <a href="https://owasp.org/www-community/attacks/CSV_Injection">OWASP, CSV injection</a>
 */
public final class SpreadsheetText {
    /* Spreadsheets of East Asian locales take the full-width signs, too. */
    private static final Pattern FORMULA = Pattern.compile("(?s)[\\s']*[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20].*");

    private SpreadsheetText() {}

    /** The cell of a text. */
    public static String cell(String text) {
        return FORMULA.matcher(text).matches() ? "'" + text : text;
    }

    /** The text of a cell. */
    static String text(String cell) {
        return cell.startsWith("'") && FORMULA.matcher(cell).matches() ? cell.substring(1) : cell;
    }
}
