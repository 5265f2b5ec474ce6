package dev.registrar.console.office;

import dev.registrar.console.Notices;
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
import dev.registrar.imports.ImportSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The import of a file of courses, and its progress. */
@Controller("consoleImportController")
final class ImportController {
    private static final String FILE = "file";
    private static final String TEXT = "text";

    /** Maximum number of characters that are offered again after an import, which is that of the text area. */
    private static final int MOST_KEPT = 15_000;

    private static final int MAX_BYTES_OF_CHARACTER = 3;

    /** The attribute of a session that has its last import. */
    private static final String SENT = "registrar.sentImport";

    private final CourseImports imports;
    private final ImportSettings settings;
    private final RejectedRequests rejectedRequests;

    /**
     * What a person has sent.
     *
     * @param session its id, which is another one after a login
     * @param lines empty if they are too many to be corrected in a form
     */
    private record Sent(String session, UUID id, Optional<String> lines) {}

    ImportController(CourseImports imports, ImportSettings settings, RejectedRequests rejectedRequests) {
        this.imports = imports;
        this.settings = settings;
        this.rejectedRequests = rejectedRequests;
    }

    @GetMapping(Paths.CONSOLE_IMPORT)
    String form(Model model) {
        return form(new Faults(), "", model);
    }

    private String form(Faults faults, String text, Model model) {
        model.addAttribute("faults", faults);
        model.addAttribute("text", text);
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
            HttpServletResponse response,
            RedirectAttributes redirect)
            throws IOException {
        String field = file != null ? FILE : TEXT;
        byte[] content = file != null ? file.getBytes() : text.getBytes(StandardCharsets.UTF_8);
        if (content.length == 0 || (file == null && text.isBlank())) {
            return again(
                    HttpStatus.UNPROCESSABLE_CONTENT,
                    field,
                    file != null ? "Choose a file that is not empty." : "Paste the lines of a file.",
                    text,
                    model,
                    response);
        }
        UUID now = TimeOrderedId.next();
        try {
            CourseImport begun = imports.begin(
                    content,
                    format(content),
                    Origin.correlatedBy(EdgeFilter.correlationId(request)).by(CallingActor.current()),
                    null);
            UUID id = begun.progress().id();
            if (id.compareTo(now) < 0) {
                Notices.done(redirect, "The same lines were sent before. This is the result of the earlier import.");
            }
            HttpSession session = request.getSession(false);
            if (session != null) {
                keep(new Sent(session.getId(), id, lines(content)), session);
            }
            return "redirect:%s/%s".formatted(Paths.CONSOLE_IMPORT, id);
        } catch (OverloadedException full) {
            rejectedRequests.count(RejectedRequests.Reason.IMPORTS);
            return again(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    field,
                    "Nothing was imported. Other imports are running. Send the file again when they have ended.",
                    text,
                    model,
                    response);
        }
    }

    private static void keep(Sent sent, HttpSession session) {
        try {
            session.setAttribute(SENT, sent);
        } catch (IllegalStateException ended) {
            // A logout in another tab has ended the session. The import runs, and nobody sees its lines.
        }
    }

    /* What a file contains as a person can edit it; empty if it is too long for that, or not in UTF-8. */
    private static Optional<String> lines(byte[] content) {
        if (content.length > MOST_KEPT * MAX_BYTES_OF_CHARACTER) {
            return Optional.empty();
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            String lines = text.startsWith("\uFEFF") ? text.substring(1) : text;
            return lines.length() <= MOST_KEPT ? Optional.of(lines) : Optional.empty();
        } catch (CharacterCodingException malformed) {
            return Optional.empty();
        }
    }

    private String again(
            HttpStatus status, String field, String sentence, String text, Model model, HttpServletResponse response) {
        Faults faults = new Faults();
        faults.add(field, field.equals(FILE) ? "File" : "Lines", sentence);
        response.setStatus(status.value());
        return form(faults, text, model);
    }

    /* A line in JSON begins with a brace, which the header of a CSV file cannot. */
    private static FileFormat format(byte[] content) {
        for (byte character : content) {
            boolean isBeforeText = character <= ' ';
            if (!isBeforeText) {
                return character == '{' ? FileFormat.NDJSON : FileFormat.CSV;
            }
        }
        return FileFormat.CSV;
    }

    @GetMapping(Paths.CONSOLE_IMPORT + "/{importId}")
    String progress(
            @PathVariable String importId, Model model, HttpServletRequest request, HttpServletResponse response) {
        Optional<CourseImport> found = id(importId).flatMap(imports::find);
        if (found.isEmpty()) {
            return OfficePages.absent(
                    "There is no report of this import: reports are kept in memory, the latest ones only.",
                    Paths.CONSOLE_IMPORT,
                    "Send the file again: what is defined already stays as it is",
                    model,
                    response);
        }
        Progress progress = found.get().progress();
        Optional<Sent> sent = sent(progress.id(), request.getSession(false));
        boolean canBeSentAgain = progress.state() == State.REFUSED || progress.state() == State.STOPPED;
        Optional<String> lines = sent.filter(own -> canBeSentAgain).flatMap(Sent::lines);
        model.addAttribute(
                "imported",
                ImportPage.of(progress, sent.isPresent() ? found.get().wrongLines() : Map.of()));
        model.addAttribute("lines", lines.orElse(null));
        model.addAttribute("linesHidden", progress.state() == State.REFUSED && sent.isEmpty());
        model.addAttribute("ownWrong", progress.state() == State.REFUSED && sent.isPresent());
        return "console/office/imported";
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

    private static Optional<UUID> id(String text) {
        try {
            return Optional.of(UUID.fromString(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
