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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
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
            consumes = {CSV, MediaType.APPLICATION_NDJSON_VALUE})
    @Operation(
            summary = "Import the courses of a file: all of them, or none if a line is invalid",
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
    ResponseEntity<Progress> importCourses(HttpServletRequest request) {
        IdempotencyKey key = IdempotencyKeyHeader.key(request);
        FileFormat format = MediaType.valueOf(request.getContentType()).isCompatibleWith(MediaType.valueOf(CSV))
                ? FileFormat.CSV
                : FileFormat.NDJSON;
        Origin origin = Origin.correlatedBy(EdgeFilter.correlationId(request)).by(CallingActor.current());
        Progress progress =
                begin(BoundedBody.body(request), format, origin, key).progress();
        return ResponseEntity.accepted()
                .location(URI.create(request.getContextPath() + "/api/imports/" + progress.id()))
                .body(progress);
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
