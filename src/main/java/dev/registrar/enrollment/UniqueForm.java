package dev.registrar.enrollment;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The one form of a text by which it is unique: in compatibility composition (NFKC), without default-ignorable code
 * points, in lower case. Texts that look alike for these reasons have the same form: composed and decomposed letters,
 * full-width letters, letters with an invisible character between them. Letters that only look alike, such as Latin and
 * Cyrillic a, stay apart, and so do letters that are equal only when case is folded in full, such as ß and ss.
 */
final class UniqueForm {
    /*
     * Default_Ignorable_Code_Point in DerivedCoreProperties.txt of the Unicode Character Database: 4,174 code points, with
     * those that are reserved for the purpose. Java knows no property of that name: its \p{Cf} lacks variation selectors and
     * Hangul fillers, and holds visible signs.
     */
    private static final Pattern DEFAULT_IGNORABLE = Pattern.compile("["
            + "\\x{AD}\\x{34F}\\x{61C}\\x{115F}-\\x{1160}\\x{17B4}-\\x{17B5}\\x{180B}-\\x{180F}"
            + "\\x{200B}-\\x{200F}\\x{202A}-\\x{202E}\\x{2060}-\\x{206F}\\x{3164}\\x{FE00}-\\x{FE0F}"
            + "\\x{FEFF}\\x{FFA0}\\x{FFF0}-\\x{FFF8}\\x{1BCA0}-\\x{1BCA3}\\x{1D173}-\\x{1D17A}"
            + "\\x{E0000}-\\x{E0FFF}]+");

    private UniqueForm() {}

    /** The form of a text; the form of a form is the form itself. */
    static String of(String text) {
        String form = text;
        String before;
        // What is removed may bring a letter and its accent together, and a small letter may compose where a capital
        // does not.
        do {
            before = form;
            form = Normalizer.normalize(form, Form.NFKC);
            form = DEFAULT_IGNORABLE.matcher(form).replaceAll("").toLowerCase(Locale.ROOT);
        } while (!form.equals(before));
        return form;
    }
}
