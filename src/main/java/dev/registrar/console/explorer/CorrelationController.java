package dev.registrar.console.explorer;

import dev.registrar.console.ConsoleReads;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.projection.ViewAt;
import dev.registrar.projection.commands.CommandsView;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** Everything that one request from outside has caused: its commands and their events. */
@Controller
final class CorrelationController {
    private static final String PATH = EventsController.PATH + "/correlation";
    private static final int COMMANDS = 20;
    private static final int EVENTS_OF_COMMAND = 10;
    private static final Pattern UUID_FORM = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final ConsoleReads reads;
    private final CommandsView commands;
    private final Stored stored;

    CorrelationController(ConsoleReads reads, CommandsView commands, Stored stored) {
        this.reads = reads;
        this.commands = commands;
        this.stored = stored;
    }

    /**
     * A command and its events.
     *
     * @param causationId as it is shown; null if there is none
     * @param causeHref the address that leads to the cause; null if there is none
     * @param events its first events
     * @param more the address of all its events; null if all are shown
     */
    record ShownCommand(
            String type,
            Instant recordedAt,
            @Nullable String causationId,
            @Nullable String causeHref,
            List<EventLine> events,
            int count,
            @Nullable String more) {}

    static String href(String correlationId) {
        return new Address(PATH).with("id", FieldText.of(correlationId)).toString();
    }

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
            @RequestParam(required = false) @Nullable String after,
            Model model,
            HttpServletRequest request) {
        String correlation = FieldText.value(id);
        if (after != null && !UUID_FORM.matcher(after).matches()) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        model.addAttribute("correlation", Visible.beginning(correlation, 300));
        if (!isKnown(correlation)) {
            model.addAttribute("commands", List.of());
            model.addAttribute("upTo", null);
            return "console/explorer/correlation";
        }
        UUID previous = after == null ? null : UUID.fromString(after);
        ViewAt<CommandsView.Page> page = reads.read(
                request, commands, tables -> CommandsView.ofCorrelation(tables, correlation, previous, COMMANDS));
        model.addAttribute(
                "commands", page.found().commands().stream().map(this::shown).toList());
        model.addAttribute("upTo", page.position().value());
        model.addAttribute(
                "next",
                page.found()
                        .next()
                        .map(last -> href(correlation) + "&after=" + last)
                        .orElse(null));
        return "console/explorer/correlation";
    }

    private ShownCommand shown(CommandsView.Command command) {
        List<EventLine> events = stored.between(command.first(), command.last(), EVENTS_OF_COMMAND).stream()
                .filter(event -> isOf(command, event))
                .map(EventLine::withContent)
                .toList();
        String causation = command.causationId();
        return new ShownCommand(
                Visible.line(command.type()),
                command.recordedAt(),
                causation == null ? null : Visible.line(causation),
                causation == null ? null : "%s/%s/cause".formatted(EventsController.PATH, command.first()),
                events,
                command.events(),
                command.events() == events.size()
                        ? null
                        : new Address(EventsController.PATH)
                                .with("from", command.first().toString())
                                .with("to", command.last().toString())
                                .with("order", "oldest")
                                .toString());
    }

    private static boolean isOf(CommandsView.Command command, SequencedEvent event) {
        return EventMetadata.parse(event.event().metadata())
                .map(metadata -> command.id().toString().equals(metadata.commandId()))
                .orElse(false);
    }
}
