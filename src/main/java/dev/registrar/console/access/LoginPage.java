package dev.registrar.console.access;

import dev.registrar.security.session.ConsolePaths;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The form at which persons of the demo login say who they are. */
@Controller
@ConditionalOnBooleanProperty("registrar.demo-login")
final class LoginPage {

    @GetMapping(ConsolePaths.FORM_LOGIN)
    String show(@RequestParam(required = false) @Nullable String wrong, Model model) {
        model.addAttribute("isWrong", wrong != null);
        return "console/access/login";
    }
}
