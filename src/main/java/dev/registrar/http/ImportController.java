package dev.registrar.http;

import dev.registrar.decision.Origin;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.BoundedBody;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.admission.EdgeFilter;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.admission.RejectedRequests;
import dev.registrar.http.problem.Unknown;
import dev.registrar.imports.CourseImport;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImports;
import dev.registrar.imports.FileFormat;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Imports of courses: begin an import, look up its progress. */
@RestController
@RequestMapping(path = "/api", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Imports", description = "Define many courses with one file")
public final class ImportController {
    public static final String PATH = Paths.IMPORTS;
    private static final String CSV = "text/csv";
    private static final String EXCEL = "application/vnd.ms-excel";
    private static final Set<String> CHARSETS =
            Set.of("UTF-8", "US-ASCII", "UTF-16", "UTF-16LE", "UTF-16BE", "windows-1252", "ISO-8859-1");
    /* The others are parts of these. */
    private static final List<Charset> NAMED_CHARSETS =
            List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16, Charset.forName("windows-1252"));
    private static final String EXAMPLE = "id,title,capacity\nmaths-101,Mathematics 101,30\n";
    private static final String LINES = "{\"id\": \"latin-1\", \"title\": \"Latin 1\", \"capacity\": 30}\n";

    private final CourseImports imports;
    private final RejectedRequests rejectedRequests;

    ImportController(CourseImports imports, RejectedRequests rejectedRequests) {
        this.imports = imports;
        this.rejectedRequests = rejectedRequests;
    }

    @PostMapping(
            path = "/courses/import",
            consumes = {CSV, MediaType.APPLICATION_NDJSON_VALUE, EXCEL, MediaType.TEXT_PLAIN_VALUE})
    @Operation(
            summary = "Import the courses of a file: all of them, or none if a line is invalid",
            description =
                    "CSV may also be sent as application/vnd.ms-excel or text/plain. Its columns may be separated by commas, semicolons or tabs; it is in UTF-8, UTF-16 with a byte order mark, or Windows-1252",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = {
                                @Content(mediaType = CSV, examples = @ExampleObject(EXAMPLE)),
                                @Content(
                                        mediaType = MediaType.APPLICATION_NDJSON_VALUE,
                                        examples = @ExampleObject(LINES))
                            }))
    @ResponseStatus(HttpStatus.ACCEPTED)
    ResponseEntity<Progress> importCourses(HttpServletRequest request) throws HttpMediaTypeNotSupportedException {
        IdempotencyKey key = IdempotencyKeyHeader.key(request);
        FileFormat format = format(MediaType.valueOf(request.getContentType()));
        Origin origin = Origin.correlatedBy(EdgeFilter.correlationId(request)).by(CallingActor.current());
        Progress progress =
                begin(BoundedBody.body(request), format, origin, key).progress();
        return ResponseEntity.accepted()
                .location(URI.create(request.getContextPath() + "/api/imports/" + progress.id()))
                .body(progress);
    }

    /* The text itself shows in which of these charsets it is. */
    private static FileFormat format(MediaType type) throws HttpMediaTypeNotSupportedException {
        if (MediaType.APPLICATION_NDJSON.isCompatibleWith(type)) {
            return FileFormat.NDJSON;
        }
        if (type.getCharset() != null && !CHARSETS.contains(type.getCharset().name())) {
            throw new HttpMediaTypeNotSupportedException(
                    type,
                    NAMED_CHARSETS.stream()
                            .map(charset -> new MediaType(type.getType(), type.getSubtype(), charset))
                            .toList());
        }
        return FileFormat.CSV;
    }

    private CourseImport begin(byte[] file, FileFormat format, Origin origin, @Nullable IdempotencyKey key) {
        try {
            return imports.begin(file, format, origin, key);
        } catch (OverloadedException overloaded) {
            rejectedRequests.count(RejectedRequests.Reason.IMPORTS);
            throw overloaded;
        }
    }

    @GetMapping("/imports/{importId}")
    @Operation(
            summary = "Look up the progress of an import",
            description = "Reports are kept in memory: the oldest are removed, and a restart removes all")
    ResponseEntity<Progress> findImport(@PathVariable UUID importId) {
        return imports.find(importId)
                .map(known ->
                        ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(known.progress()))
                .orElseGet(() -> Unknown.imported(importId).response());
    }
}
