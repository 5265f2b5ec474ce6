package dev.registrar.console.rush;

import dev.registrar.console.Notices;
import dev.registrar.security.ConditionalOnLocalMode;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** A rush on a page: started, drawn, and afterwards. Until it is over, the page loads its part with the races again. */
@Controller
@ConditionalOnLocalMode
final class RushPages {
    private final Rushes rushes;

    RushPages(Rushes rushes) {
        this.rushes = rushes;
    }

    /** A second press shows the rush that runs. */
    @PostMapping("/console/rush")
    String run() {
        return "redirect:/console/rush/" + rushes.run().id();
    }

    @GetMapping("/console/rush/{rush}")
    String show(@PathVariable String rush, Model model, RedirectAttributes redirect) {
        Optional<Rush> found = rushes.find(rush);
        if (found.isEmpty()) {
            Notices.refused(redirect, "There is no such rush, or it is no longer kept. Start another one.");
            return "redirect:/";
        }
        Rushes.add(found.get(), model);
        return "console/rush/rush";
    }
}
