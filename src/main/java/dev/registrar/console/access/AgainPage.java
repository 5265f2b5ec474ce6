package dev.registrar.console.access;

import dev.registrar.console.Notices;
import dev.registrar.console.Visitor;
import dev.registrar.security.session.ConsolePaths;
import dev.registrar.security.session.KeptForm;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/**
 * Shows what a person had typed into a form that was not carried out, and sends it again if the person wants that. To a
 * person who is not logged in, it shows no input.
 */
@Controller
final class AgainPage {

    @GetMapping(ConsolePaths.AGAIN)
    String show(@Nullable Visitor visitor, HttpServletRequest request, Model model) {
        Optional<KeptForm> kept = KeptForm.of(request);
        boolean isOfOther = visitor != null && kept.isPresent() && !kept.get().isOf(visitor.caller());
        if (isOfOther) {
            KeptForm.discard(request);
        }
        model.addAttribute("isKept", kept.isPresent() && !isOfOther);
        if (visitor != null && kept.isPresent() && !isOfOther) {
            model.addAttribute("action", request.getContextPath() + kept.get().action());
            model.addAttribute("fields", kept.get().fields());
        }
        return "console/access/again";
    }

    @PostMapping(ConsolePaths.AGAIN + "/discard")
    String discard(HttpServletRequest request, RedirectAttributes redirect) {
        KeptForm.discard(request);
        Notices.done(redirect, "Your input was discarded.");
        return "redirect:/";
    }
}
