package dev.registrar.console.rush;

import dev.registrar.console.live.PageEvent;
import dev.registrar.security.ConditionalOnLocalMode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.util.HtmlUtils;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;

/** The parts of a rush's page that change, as events. */
@Component
@ConditionalOnLocalMode
final class RushFragments {
    private static final String TEMPLATE = "console/rush/parts";

    private final ITemplateEngine templates;

    RushFragments(ITemplateEngine templates) {
        this.templates = templates;
    }

    /** The events by name. After the event {@code over} a page need not listen any more. */
    Map<String, PageEvent> of(ShownRush rush) {
        Map<String, PageEvent> events = new LinkedHashMap<>();
        put(events, "safe", race(rush.safe()));
        put(events, "unsafe", race(rush.unsafe()));
        put(events, "progress", HtmlUtils.htmlEscape(rush.failure() == null ? rush.progress() : rush.failure()));
        if (rush.isOver()) {
            put(events, "over", "");
        }
        return events;
    }

    private static void put(Map<String, PageEvent> events, String name, String html) {
        events.put(name, PageEvent.of(name, html));
    }

    private String race(ShownRace race) {
        return templates.process(TEMPLATE, Set.of("race"), new Context(Locale.ENGLISH, Map.of("race", race)));
    }
}
