package dev.registrar.console.explorer;

import dev.registrar.console.ConsoleReads;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.projection.ViewAt;
import dev.registrar.projection.commands.CommandsView;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Everything that one request from outside has caused: its commands and their events. */
@Controller
final class CorrelationController {
    private static final String PATH = EventsController.PATH + "/correlation";
    private static final int COMMANDS = 20;
    private static final int EVENTS_OF_COMMAND = 10;

    private final ConsoleReads reads;
    private final CommandsView commands;
    private final Stored stored;

    CorrelationController(ConsoleReads reads, CommandsView commands, Stored stored) {
        this.reads = reads;
        this.commands = commands;
        this.stored = stored;
    }

    /** @param events its first events */
    record ShownCommand(CommandsView.Command command, List<EventLine> events) {}

    /** Whether the view may have commands of a correlation id. */
    static boolean isKnown(String correlationId) {
        return !correlationId.isEmpty()
                && correlationId.length() <= CommandsView.MAX_ID_LENGTH
                && correlationId
                        .codePoints()
                        .noneMatch(point -> point == 0 || Character.getType(point) == Character.SURROGATE);
    }

    @ReadsPayloads
    @GetMapping(PATH)
    String correlation(
            @RequestParam(defaultValue = "") String id,
            @RequestParam(required = false) @Nullable UUID after,
            Model model) {
        String correlation = FieldText.value(id);
        model.addAttribute("correlation", correlation);
        if (!isKnown(correlation)) {
            model.addAttribute("commands", List.of());
            return "console/explorer/correlation";
        }
        ViewAt<CommandsView.Page> page =
                reads.read(commands, tables -> CommandsView.ofCorrelation(tables, correlation, after, COMMANDS));
        model.addAttribute(
                "commands", page.found().commands().stream().map(this::shown).toList());
        model.addAttribute("upTo", page.position().value());
        model.addAttribute("next", page.found().next().orElse(null));
        return "console/explorer/correlation";
    }

    private ShownCommand shown(CommandsView.Command command) {
        return new ShownCommand(
                command,
                stored.between(command.first(), command.last(), EVENTS_OF_COMMAND).stream()
                        .filter(event -> isOf(command, event))
                        .map(EventLine::withContent)
                        .toList());
    }

    private static boolean isOf(CommandsView.Command command, SequencedEvent event) {
        return EventMetadata.parse(event.event().metadata())
                .map(metadata -> command.id().toString().equals(metadata.commandId()))
                .orElse(false);
    }
}
