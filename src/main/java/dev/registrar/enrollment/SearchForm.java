package dev.registrar.enrollment;

import java.util.Locale;

/**
 * The form in which texts are searched and sorted: a text is found if its form contains the form of what is searched
 * for. It is the {@link UniqueForm} of texts whose letters are equal if their upper case is: ß is ss, too, the two
 * small sigmas are equal, and ı (without a dot) is i, which full case folding would tell apart. Accents stay.
 */
public final class SearchForm {
    /*
     * A form can be longer than its text: U+FDFA alone becomes 18 letters. An entry of an index has room for 500
     * letters of 4 bytes. Texts of 200 letters may be searched for: if the form of such a text is cut, too, it finds only
     * texts whose form begins with the same 500 letters.
     */
    /** Maximum length of a form in characters (code points); what a longer one would have behind that is left out. */
    public static final int MAX_LENGTH = 500;

    private SearchForm() {}

    /** The form of a text. It is idempotent: the form of a form is the same form. */
    public static String of(String text) {
        String form = text;
        String previous;
        // Repeated until nothing changes: a folded letter may compose with what follows it.
        do {
            previous = form;
            form = folded(UniqueForm.of(form));
        } while (!form.equals(previous));
        return form.substring(0, form.offsetByCodePoints(0, Math.min(MAX_LENGTH, Text.length(form))));
    }

    /* By way of the upper case, since letters with the same upper case may differ in lower case: ß and ss, ς and σ. */
    private static String folded(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        text.toUpperCase(Locale.ROOT).codePoints().map(Character::toLowerCase).forEach(folded::appendCodePoint);
        return folded.toString();
    }
}
