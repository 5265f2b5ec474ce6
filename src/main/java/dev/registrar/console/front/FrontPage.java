package dev.registrar.console.front;

import dev.registrar.console.rush.LatestRush;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The front page: what the service is, and what the visitor can do. */
@Controller
final class FrontPage {
    private final ObjectProvider<LatestRush> latestRush;

    /** @param latestRush absent with an issuer */
    FrontPage(ObjectProvider<LatestRush> latestRush) {
        this.latestRush = latestRush;
    }

    @GetMapping("/")
    String show(Model model) {
        latestRush.ifAvailable(latest -> latest.addTo(model));
        return "console/front/front";
    }
}
