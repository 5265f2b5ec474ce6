package dev.registrar.console.front;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** The front page: what the service is, and what the visitor can do. */
@Controller
final class FrontPage {

    @GetMapping("/")
    String show() {
        return "console/front/front";
    }
}
