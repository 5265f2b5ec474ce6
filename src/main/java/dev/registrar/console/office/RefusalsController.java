package dev.registrar.console.office;

import dev.registrar.http.problem.KeptRefusals;
import dev.registrar.http.problem.KeptRefusals.KeptRefusal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Finds the refused commands of a reference, which is the correlation id of their answer. */
@Controller
final class RefusalsController {
    private final KeptRefusals refusals;
    private final MessageSource messages;

    RefusalsController(KeptRefusals refusals, MessageSource messages) {
        this.refusals = refusals;
        this.messages = messages;
    }

    /** @param reason a sentence in the reader's language, without the ids of the command */
    record ShownRefusal(KeptRefusal refusal, @Nullable String reason) {}

    /** @param reference empty to find none */
    @GetMapping("/console/refusals")
    String find(@RequestParam(defaultValue = "") String reference, Locale reader, Model model) {
        String searched = reference.strip();
        model.addAttribute("searched", searched);
        model.addAttribute(
                "refusals",
                refusals.find(searched).stream()
                        .map(found -> new ShownRefusal(
                                found, messages.getMessage("reason." + found.code(), null, found.code(), reader)))
                        .toList());
        model.addAttribute("kept", refusals.most());
        return "console/office/refusals";
    }
}
