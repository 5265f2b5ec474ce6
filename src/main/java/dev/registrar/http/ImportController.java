package dev.registrar.http;

import dev.registrar.decision.Origin;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.imports.CourseImport;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImports;
import dev.registrar.imports.FileFormat;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Imports of courses: begin one, see how far it is. */
@RestController
@RequestMapping(path = "/api", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Imports")
final class ImportController {
    static final String PATH = "/api/courses/import";
    private static final String CSV = "text/csv";

    private final CourseImports imports;

    ImportController(CourseImports imports) {
        this.imports = imports;
    }

    @PostMapping(
            path = "/courses/import",
            consumes = {CSV, MediaType.APPLICATION_NDJSON_VALUE})
    @Operation(summary = "Define the courses of a file, all of them or, if a line is wrong, none")
    @ApiResponse(
            responseCode = "202",
            description = "Begun; its progress is found at Location",
            content = @Content(schema = @Schema(implementation = Progress.class)))
    ResponseEntity<Object> begin(@RequestBody byte[] file, HttpServletRequest request) {
        IdempotencyKey key = Writes.key(request);
        FileFormat format = MediaType.valueOf(request.getContentType()).isCompatibleWith(MediaType.valueOf(CSV))
                ? FileFormat.CSV
                : FileFormat.NDJSON;
        CourseImport begun =
                imports.begin(file, format, Origin.correlatedBy(CorrelationFilter.correlationId(request)), key);
        Progress progress = begun.progress();
        return ResponseEntity.accepted()
                .location(URI.create("/api/imports/" + progress.id()))
                .body(progress);
    }

    @GetMapping("/imports/{importId}")
    @Operation(summary = "See how far an import is; forgotten an hour after its begin, or with this process")
    @ApiResponse(
            responseCode = "200",
            description = "As far as it is now",
            content = @Content(schema = @Schema(implementation = Progress.class)))
    ResponseEntity<Object> find(@PathVariable UUID importId) {
        return imports.find(importId)
                .<ResponseEntity<Object>>map(known ->
                        ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(known.progress()))
                .orElseGet(() -> Problem.response(Problem.of(HttpStatus.NOT_FOUND, "import-unknown", null)));
    }
}
