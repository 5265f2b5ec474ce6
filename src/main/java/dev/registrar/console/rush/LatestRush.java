package dev.registrar.console.rush;

import dev.registrar.security.ConditionalOnLocalMode;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** The rush on the front page: the one that runs, or else the last one that took place. */
@Component
@ConditionalOnLocalMode
public final class LatestRush {
    private final Rushes rushes;

    LatestRush(Rushes rushes) {
        this.rushes = rushes;
    }

    /**
     * Adds {@code id} and {@code rush}, which the fragment {@code console/rush/parts} shows; nothing without a rush.
     */
    public void addTo(Model model) {
        rushes.latest().ifPresent(latest -> {
            model.addAttribute("id", latest.id());
            model.addAttribute("rush", latest.shown());
        });
    }
}
