package dev.registrar.console;

import dev.registrar.security.session.ConsolePaths;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/** What the layout of each page shows: the visitor, and the links to the pages that they may see. */
@ControllerAdvice(basePackages = "dev.registrar.console")
final class ConsolePages {

    @ModelAttribute
    void addTo(Model model, @Nullable Visitor visitor, HttpServletRequest request) {
        add(model, visitor, request);
    }

    static void add(Model model, @Nullable Visitor visitor, HttpServletRequest request) {
        String path = ConsolePaths.of(request);
        model.addAttribute("path", path);
        // Asked for when the page is made: its controller has read the views by then.
        model.addAttribute("behind", (Supplier<Boolean>) () -> request.getAttribute(ConsoleReads.BEHIND) != null);
        model.addAttribute("outdated", (Supplier<Boolean>) () -> request.getAttribute(ConsoleReads.BEHIND) != null
                || request.getAttribute(ConsoleReads.NOT_RUNNING) != null);
        if (visitor != null) {
            model.addAttribute("visitor", visitor);
            model.addAttribute("navigation", Navigation.of(visitor, path));
        }
    }
}
