package dev.registrar.enrollment;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The canonical form of a text, which decides its uniqueness: in compatibility composition (NFKC), without
 * default-ignorable code points, in lower case. Composed and decomposed letters, full-width letters, and letters with
 * an invisible character between them have the same form. Letters of different scripts that look alike, such as Latin
 * and Cyrillic a, have different forms. So do letters that are equal only under full case folding, such as ß and ss.
 */
final class UniqueForm {
    /*
     * Default_Ignorable_Code_Point in DerivedCoreProperties.txt of the Unicode Character Database: 4,174 code points,
     * including those reserved for this purpose. Java has no such property: its \p{Cf} lacks variation selectors and
     * Hangul fillers, and contains visible signs.
     */
    private static final Pattern DEFAULT_IGNORABLE = Pattern.compile("["
            + "\\x{AD}\\x{34F}\\x{61C}\\x{115F}-\\x{1160}\\x{17B4}-\\x{17B5}\\x{180B}-\\x{180F}"
            + "\\x{200B}-\\x{200F}\\x{202A}-\\x{202E}\\x{2060}-\\x{206F}\\x{3164}\\x{FE00}-\\x{FE0F}"
            + "\\x{FEFF}\\x{FFA0}\\x{FFF0}-\\x{FFF8}\\x{1BCA0}-\\x{1BCA3}\\x{1D173}-\\x{1D17A}"
            + "\\x{E0000}-\\x{E0FFF}]+");

    private UniqueForm() {}

    /** The form of a text. It is idempotent: the form of a form is the same form. */
    static String of(String text) {
        String form = text;
        String previous;
        // Repeated until nothing changes: a removal may join a letter and its accent, and a lower-case letter may
        // compose where its upper case does not.
        do {
            previous = form;
            form = Normalizer.normalize(form, Form.NFKC);
            form = DEFAULT_IGNORABLE.matcher(form).replaceAll("").toLowerCase(Locale.ROOT);
        } while (!form.equals(previous));
        return form;
    }
}
