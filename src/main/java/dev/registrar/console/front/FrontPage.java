package dev.registrar.console.front;

import dev.registrar.console.rush.Rushes;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The front page: what the service is, and what the visitor can do. */
@Controller
final class FrontPage {
    private final ObjectProvider<Rushes> rushes;

    /** @param rushes absent with an issuer */
    FrontPage(ObjectProvider<Rushes> rushes) {
        this.rushes = rushes;
    }

    @GetMapping("/")
    String show(Model model) {
        rushes.ifAvailable(all -> all.addLatest(model));
        return "console/front/front";
    }
}
