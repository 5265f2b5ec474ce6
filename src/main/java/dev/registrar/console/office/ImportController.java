package dev.registrar.console.office;

import dev.registrar.console.AbsentException;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.decision.Origin;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.admission.EdgeFilter;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.admission.RejectedRequests;
import dev.registrar.imports.CourseImport;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImport.State;
import dev.registrar.imports.CourseImports;
import dev.registrar.imports.FileFormat;
import dev.registrar.imports.FileText;
import dev.registrar.imports.ImportSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;

/** The import of a file of courses, and its progress. */
@Controller("consoleImportController")
final class ImportController {
    /** Maximum number of characters that are offered again after an import, which is that of the text area. */
    private static final int MOST_KEPT = 15_000;

    /** The attribute of a session that has its last import. */
    private static final String SENT = "registrar.sentImport";

    private final CourseImports imports;
    private final ImportSettings settings;
    private final RejectedRequests rejectedRequests;
    private final ConsoleCommands commands;

    /**
     * What a person has sent.
     *
     * @param session its id, which is another one after a login
     * @param lines empty if they are too many to be corrected in a form
     */
    private record Sent(String session, UUID id, Optional<String> lines) {}

    ImportController(
            CourseImports imports,
            ImportSettings settings,
            RejectedRequests rejectedRequests,
            ConsoleCommands commands) {
        this.imports = imports;
        this.settings = settings;
        this.rejectedRequests = rejectedRequests;
        this.commands = commands;
    }

    /** A file, or its lines. */
    record ImportForm(@Nullable MultipartFile file, String text) {
        byte[] content() throws IOException {
            if (file != null) {
                return file.getBytes();
            }
            return text.isBlank() ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        }
    }

    @GetMapping(Paths.CONSOLE_IMPORT)
    String form(Model model) {
        return form(new BeanPropertyBindingResult(new ImportForm(null, ""), "form"), model);
    }

    private String form(BindingResult form, Model model) {
        model.addAllAttributes(form.getModel());
        model.addAttribute("maxSize", settings.shownMaxFileSize());
        model.addAttribute("maxBytes", settings.maxFileSize().toBytes());
        model.addAttribute("maxCourses", settings.maxCourses());
        return "console/office/import";
    }

    @PostMapping(Paths.CONSOLE_IMPORT)
    String begin(
            @RequestParam(required = false) @Nullable MultipartFile file,
            @RequestParam(defaultValue = "") String text,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        ImportForm sent = new ImportForm(file, text);
        BindingResult form = new BeanPropertyBindingResult(sent, "form");
        String field = file != null ? "file" : "text";
        byte[] content = sent.content();
        if (content.length == 0) {
            form.rejectValue(field, "NotEmpty");
            return form(form, model);
        }
        String lines = FileText.of(content).text();
        UUID now = TimeOrderedId.next();
        try {
            CourseImport begun = imports.begin(
                    content,
                    // The header of a CSV file cannot begin with a brace.
                    lines.stripLeading().startsWith("{") ? FileFormat.NDJSON : FileFormat.CSV,
                    Origin.correlatedBy(EdgeFilter.correlationId(request)).by(CallingActor.current()),
                    null);
            UUID id = begun.progress().id();
            if (id.compareTo(now) < 0) {
                commands.done("The same lines were sent before. This is the result of the earlier import.");
            }
            HttpSession session = request.getSession(false);
            if (session != null) {
                keep(new Sent(session.getId(), id, lines(content)), session);
            }
            return "redirect:%s/%s".formatted(Paths.CONSOLE_IMPORT, id);
        } catch (OverloadedException full) {
            rejectedRequests.count(RejectedRequests.Reason.IMPORTS);
            form.rejectValue(field, "imports-running");
            response.setStatus(HttpStatus.SERVICE_UNAVAILABLE.value());
            return form(form, model);
        }
    }

    private static void keep(Sent sent, HttpSession session) {
        try {
            session.setAttribute(SENT, sent);
        } catch (IllegalStateException ended) {
            // A logout in another tab has ended the session. The import runs, and no page shows its lines.
        }
    }

    /* What a file contains as a person can edit it; empty if it is too long for that, or not text. */
    private static Optional<String> lines(byte[] content) {
        FileText read = FileText.of(content);
        return read.fault() == null && read.text().length() <= MOST_KEPT ? Optional.of(read.text()) : Optional.empty();
    }

    @GetMapping(Paths.CONSOLE_IMPORT + "/{importId}")
    String progress(@PathVariable UUID importId, Model model, HttpServletRequest request) {
        CourseImport found = imports.find(importId).orElseThrow(ImportController::absent);
        Progress progress = found.progress();
        Optional<Sent> sent = sent(progress.id(), request.getSession(false));
        boolean canBeSentAgain = progress.state() == State.REFUSED || progress.state() == State.STOPPED;
        Optional<String> lines = sent.filter(own -> canBeSentAgain).flatMap(Sent::lines);
        model.addAttribute("imported", new ImportPage(progress, sent.isPresent() ? found.wrongLines() : Map.of()));
        model.addAttribute("lines", lines.orElse(null));
        model.addAttribute("linesHidden", progress.state() == State.REFUSED && sent.isEmpty());
        model.addAttribute("ownWrong", progress.state() == State.REFUSED && sent.isPresent());
        return "console/office/imported";
    }

    private static AbsentException absent() {
        String sentence = "There is no report of this import: reports are kept in memory, the latest ones only.";
        return new AbsentException(
                sentence,
                sentence,
                Paths.CONSOLE_IMPORT,
                "Send the file again: what is defined already stays as it is");
    }

    /* The lines are shown only to the person who has sent them, in the same session: a login changes its id. */
    private static Optional<Sent> sent(UUID id, @Nullable HttpSession session) {
        return session != null
                        && session.getAttribute(SENT) instanceof Sent sent
                        && sent.session().equals(session.getId())
                        && sent.id().equals(id)
                ? Optional.of(sent)
                : Optional.empty();
    }
}
