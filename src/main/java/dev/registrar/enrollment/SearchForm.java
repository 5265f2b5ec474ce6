package dev.registrar.enrollment;

import java.util.Locale;

/**
 * The form in which texts are searched and sorted: a text is found if its form contains the form of what is searched
 * for. It is the {@link UniqueForm} under full case folding: ß is ss, too, and the two small sigmas are equal. Accents
 * stay.
 */
public final class SearchForm {
    /*
     * A form can be longer than its text: U+FDFA alone becomes 18 letters. An entry of an index has room for 500
     * letters of 4 bytes.
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

    /* The capitals of a letter tell more letters apart from it than its small letters do: those of ß are SS. */
    private static String folded(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        text.toUpperCase(Locale.ROOT).codePoints().map(Character::toLowerCase).forEach(folded::appendCodePoint);
        return folded.toString();
    }
}
