package dev.registrar.console;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** A sentence above the page that the browser is redirected to: what was done, or why it was not. */
public final class Notices {
    static final String ATTRIBUTE = "notices";

    private Notices() {}

    /**
     * A sentence.
     *
     * @param refused whether the person's wish was not carried out
     * @param reference the correlation id under which a refused command can be found; null if there is none
     * @param courses the titles of the courses that it leads to, by their ids
     */
    public record Notice(
            boolean refused, String text, @Nullable String reference, Map<String, String> courses) {
        Notice(boolean refused, String text, @Nullable String reference) {
            this(refused, text, reference, Map.of());
        }
    }

    /** Says what was done. */
    public static void done(RedirectAttributes redirect, String text) {
        add(redirect, new Notice(false, text, null));
    }

    /** Says why nothing was changed, and what to do. */
    public static void refused(RedirectAttributes redirect, String text) {
        add(redirect, new Notice(true, text, null));
    }

    private static void add(RedirectAttributes redirect, Notice notice) {
        redirect.addFlashAttribute(ATTRIBUTE, List.of(notice));
    }
}
