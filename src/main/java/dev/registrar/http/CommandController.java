package dev.registrar.http;

import dev.registrar.decision.CommandRegistry;
import dev.registrar.decision.Decision;
import dev.registrar.decision.EventCodec.Encoded;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.UnknownCommandException;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.Refusal;
import dev.registrar.http.Writes.Answer;
import dev.registrar.http.admission.BoundedBody;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Problem.FieldError;
import dev.registrar.http.problem.ProblemException;
import dev.registrar.http.problem.UnreadableBody;
import dev.registrar.projection.commands.CommandsView;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Carries out commands of any type, and lists the commands of a correlation id. */
@RestController
@RequestMapping(path = "/api/commands", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Commands", description = "Send commands by type name, and look up executed commands")
final class CommandController {
    /** The name of the schema of a command in the API's description. */
    static final String COMMAND = "Command";

    static final String CORRELATION_ID = "[!-~]{1,128}";
    static final String CORRELATION_MESSAGE = "must be 1 to 128 visible ASCII characters";

    private static final String DATA = "/data";

    private final Writes writes;
    private final Views views;
    private final CommandsView commands;
    private final CommandRegistry<EnrollmentEvent, Refusal> registry;
    private final EnrollmentEventCodec codec;
    private final JsonMapper json;
    private final Validator validator;

    CommandController(
            Writes writes,
            Views views,
            CommandsView commands,
            CommandRegistry<EnrollmentEvent, Refusal> registry,
            EnrollmentEventCodec codec,
            JsonMapper json,
            Validator validator) {
        this.writes = writes;
        this.views = views;
        this.commands = commands;
        this.registry = registry;
        this.codec = codec;
        this.json = json;
        this.validator = validator;
    }

    /** A command whose data are not parsed yet: the type determines their form. */
    @Schema(name = COMMAND)
    record NamedCommand(
            @NotNull String type,
            @Schema(implementation = Object.class) @Nullable JsonNode data) {}

    /** A command whose data are parsed as the record of its type. */
    record TypedCommand<C extends Record>(
            String type, @NotNull @Valid C data) {}

    record CarriedOut(
            @Schema(example = "EnrollStudent") String type,

            @Schema(example = "7", description = "Position of the last event; if there is none, of the head")
            long position,

            @Schema(description = "Empty if nothing had to change")
            List<AppendedEvent> events) {}

    record AppendedEvent(
            @Schema(example = "StudentEnrolledInCourse") String type,

            @Schema(implementation = Object.class, example = "{\"studentId\": \"ann\", \"courseId\": \"maths-101\"}")
            JsonNode data) {}

    record RecordedCommands(List<RecordedCommand> commands) {}

    record RecordedCommand(
            @Schema(description = "Generated when the command is carried out")
            UUID id,

            @Schema(example = "EnrollStudent") String type,

            @Schema(description = "The id of the event that caused the command") @Nullable String causationId,

            @Schema(description = "Number of events that the command appended", example = "1")
            int events,

            @Schema(example = "7") long firstPosition,
            @Schema(example = "7") long lastPosition,
            Instant recordedAt) {

        static RecordedCommand of(CommandsView.Command command) {
            return new RecordedCommand(
                    command.id(),
                    command.type(),
                    command.causationId(),
                    command.events(),
                    command.first().value(),
                    command.last().value(),
                    command.recordedAt());
        }
    }

    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Carry out a command of any type",
            description = "Has the same effect and the same problems as the operation for the command's type")
    ResponseEntity<CarriedOut> sendCommand(@Valid @RequestBody NamedCommand command, HttpServletRequest request) {
        CommandRegistry.Entry<EnrollmentEvent, ?, Refusal> entry = entry(command.type());
        Object data = data(entry.form(), BoundedBody.body(request));
        return writes.answer(
                () -> decision(entry, data), accepted -> Answer.changed(carriedOut(command.type(), accepted)));
    }

    private CommandRegistry.Entry<EnrollmentEvent, ?, Refusal> entry(String type) {
        try {
            return registry.entry(type);
        } catch (UnknownCommandException unknown) {
            throw new InvalidValueException("/type", String.valueOf(unknown.getMessage()));
        }
    }

    private static Decision<EnrollmentEvent, ? extends Refusal> decision(
            CommandRegistry.Entry<EnrollmentEvent, ?, Refusal> entry, Object data) {
        try {
            return entry.decision(data);
        } catch (InvalidValueException invalid) {
            throw new InvalidValueException(DATA + invalid.pointer(), String.valueOf(invalid.getMessage()));
        }
    }

    /* Parses the body a second time, so that an error has the same location and pointer as in any other body. */
    private Object data(Class<?> form, byte[] body) {
        JavaType type = json.getTypeFactory().constructParametricType(TypedCommand.class, form);
        TypedCommand<?> command;
        try {
            command = json.readValue(body, type);
        } catch (JacksonException unreadable) {
            throw new ProblemException(UnreadableBody.problem(unreadable, body));
        }
        List<FieldError> errors = validator.validate(command).stream()
                .map(violation -> new FieldError(
                        Problem.pointer(violation.getPropertyPath().toString()), violation.getMessage()))
                .sorted(Comparator.comparing(FieldError::pointer))
                .toList();
        if (!errors.isEmpty()) {
            throw new ProblemException(Problem.invalid(errors));
        }
        return command.data();
    }

    private CarriedOut carriedOut(String type, Accepted<EnrollmentEvent, ?> accepted) {
        List<AppendedEvent> events = accepted.events().stream()
                .map(codec::encode)
                .map(this::appended)
                .toList();
        return new CarriedOut(type, accepted.position().value(), events);
    }

    private AppendedEvent appended(Encoded event) {
        return new AppendedEvent(event.type(), json.readTree(event.payload()));
    }

    @GetMapping
    @Operation(
            summary = "List the commands that appended events under a correlation id, in the order in which they began",
            description = "Empty if there is no such command. The Link header points to the next page, if there is one")
    ResponseEntity<RecordedCommands> commandsOfCorrelation(
            @RequestParam
                    @Pattern(regexp = CORRELATION_ID, message = CORRELATION_MESSAGE) @Parameter(description = "The X-Correlation-Id of the request that caused the commands")
                    String correlationId,
            @RequestParam(required = false) @Parameter(description = Pages.AFTER) @Nullable UUID after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        return views.page(
                commands,
                tables -> CommandsView.ofCorrelation(tables, correlationId, after, limit),
                page -> Views.PageBody.of(
                        page.commands().stream().map(RecordedCommand::of).toList(),
                        RecordedCommands::new,
                        page.next().map(UUID::toString)));
    }
}
