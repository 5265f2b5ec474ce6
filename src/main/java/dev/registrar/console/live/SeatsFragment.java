package dev.registrar.console.live;

import dev.registrar.catalog.CourseView;
import dev.registrar.console.ConsoleTimes;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/** The seats of a course as a fragment of a page. */
@Component
final class SeatsFragment {
    private static final String TEMPLATE = "console/parts";
    private static final Set<String> FRAGMENT = Set.of("seats");

    private final ITemplateEngine templates;
    private final ConsoleTimes times;

    SeatsFragment(ITemplateEngine templates, ConsoleTimes times) {
        this.templates = templates;
        this.times = times;
    }

    String of(CourseView course) {
        return templates
                .process(TEMPLATE, FRAGMENT, new Context(Locale.ENGLISH, Map.of("course", course, "times", times)))
                .strip();
    }
}
