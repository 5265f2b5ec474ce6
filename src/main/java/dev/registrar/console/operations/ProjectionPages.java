package dev.registrar.console.operations;

import dev.registrar.console.Notices;
import dev.registrar.console.Visitor;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.projection.NotRebuildableException;
import dev.registrar.projection.NotRetryableException;
import dev.registrar.projection.NotSkippableException;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.projection.PublisherUnavailableException;
import dev.registrar.projection.Skip;
import dev.registrar.projection.UnknownDeadLetterException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The pages of views, automations and relays: their state, and operations, each of which is confirmed first. */
@Controller
final class ProjectionPages {
    private static final String LIST = "/console/projections";

    /** Maximum number of dead letters on a page. */
    private static final int SHOWN_LETTERS = 50;

    private final ProjectionAdministration administration;
    private final MeterHistory history;

    ProjectionPages(ProjectionAdministration administration, MeterHistory history) {
        this.administration = administration;
        this.history = history;
    }

    @GetMapping(LIST)
    String list(Visitor visitor, Model model) {
        Optional<List<ProjectionStatus>> statuses = Reachable.ask(administration::statuses);
        model.addAttribute("reachable", statuses.isPresent());
        model.addAttribute(
                "projections",
                statuses.orElse(List.of()).stream()
                        .map(status -> shown(status, visitor))
                        .toList());
        return "console/operations/projections";
    }

    @GetMapping(LIST + "/{name}")
    String one(@PathVariable String name, Visitor visitor, Model model) {
        Optional<ProjectionStatus> status = Reachable.ask(() -> administration.status(name));
        model.addAttribute("name", name);
        model.addAttribute("reachable", status.isPresent());
        model.addAttribute(
                "projection", status.map(known -> shown(known, visitor)).orElse(null));
        model.addAttribute("letters", status.map(this::letters).orElse(List.of()));
        return "console/operations/projection";
    }

    @GetMapping(LIST + "/{name}/{operation}/confirm")
    String confirm(
            @PathVariable String name,
            @PathVariable String operation,
            @RequestParam(required = false) @Nullable Long position,
            Visitor visitor,
            Model model) {
        Operation known = known(operation);
        ShownProjection projection = shown(administration.status(name), visitor);
        model.addAttribute("projection", projection);
        model.addAttribute("operation", known);
        model.addAttribute("position", position == null ? projection.skippable() : position);
        model.addAttribute("offered", known.isOffered(projection));
        return "console/operations/confirm";
    }

    @PostMapping(LIST + "/{name}/{operation}")
    String run(
            @PathVariable String name,
            @PathVariable String operation,
            @RequestParam(required = false) @Nullable Long position,
            RedirectAttributes redirect) {
        Operation known = known(operation);
        try {
            known.run(administration, name, position == null ? null : Position.of(position));
            Notices.done(redirect, known.done(name));
        } catch (NotSkippableException
                | NotRebuildableException
                | NotRetryableException
                | UnknownDeadLetterException
                | PublisherUnavailableException
                | RefusedInputException refused) {
            Notices.refused(redirect, "%s.".formatted(refused.getMessage()));
        }
        redirect.addAttribute("name", name);
        return "redirect:%s/{name}".formatted(LIST);
    }

    private List<Skip> letters(ProjectionStatus status) {
        return status.deadLetters() == 0
                ? List.of()
                : Reachable.ask(() -> administration.deadLetters(status.name(), Position.START, SHOWN_LETTERS))
                        .orElse(List.of());
    }

    private static Operation known(String path) {
        return Operation.named(path).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    private ShownProjection shown(ProjectionStatus status, Visitor visitor) {
        return ShownProjection.of(status, history.lags(status.name()), visitor.showsAuditors());
    }
}
