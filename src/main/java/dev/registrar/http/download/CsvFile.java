package dev.registrar.http.download;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.registrar.concurrent.Deadline;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.Headers;
import dev.registrar.imports.SpreadsheetText;
import dev.registrar.projection.ViewAt;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;

/**
 * An answer in CSV (RFC 4180). Its rows are read and sent in pages, so its memory does not depend on its length. What
 * fails before the first page is sent is a problem; after it, or at the request's deadline, the connection is aborted.
 *
 * @param name of the file that a browser saves
 * @param forSpreadsheets whether the file has a byte order mark, without which Excel does not take it for UTF-8
 */
record CsvFile(String name, boolean forSpreadsheets) {
    /** Rows of a page. */
    static final int ROWS = 1_000;

    private static final String TYPE = "text/csv;header=present;charset=UTF-8";
    private static final String MARK = "\uFEFF";

    /**
     * The rows of a page.
     *
     * @param next where the next page begins; empty on the last page
     */
    record Part<C>(List<List<String>> rows, Optional<C> next) {}

    /** @param read gets a page, from where it begins, which is null for the first page */
    <C> void send(List<String> header, Function<@Nullable C, ViewAt<Part<C>>> read, HttpServletResponse response)
            throws IOException {
        ViewAt<Part<C>> first = read.apply(null);
        response.setContentType(TYPE);
        response.setHeader(Headers.POSITION, first.position().toString());
        response.setHeader(HttpHeaders.CACHE_CONTROL, CacheControl.noStore().getHeaderValue());
        response.setHeader(
                HttpHeaders.CONTENT_DISPOSITION,
                ContentDisposition.attachment().filename(name).build().toString());
        OutputStream out = response.getOutputStream();
        if (forSpreadsheets) {
            out.write(MARK.getBytes(StandardCharsets.UTF_8));
        }
        CsvWriter lines = CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(out, StandardCharsets.UTF_8);
        lines.writeRecord(header);
        write(first.found(), lines);
        if (first.found().next().isPresent()) {
            // Sent now, so that a later failure cannot be answered any more.
            lines.flush();
            response.flushBuffer();
        }
        for (Optional<C> next = first.found().next(); next.isPresent(); ) {
            Part<C> part = further(read, next.get());
            write(part, lines);
            next = part.next();
        }
        lines.flush();
    }

    /* A client that takes its rows too slowly would keep a thread for as long as it likes. */
    private static <C> Part<C> further(Function<@Nullable C, ViewAt<Part<C>>> read, C after) {
        if (Deadline.isOver()) {
            throw new BrokenAnswerException(new IllegalStateException("A list was not taken within the deadline"));
        }
        try {
            return read.apply(after).found();
        } catch (RuntimeException failure) {
            // Any other exception would be answered with a problem, behind which the answer is complete.
            throw new BrokenAnswerException(failure);
        }
    }

    private static void write(Part<?> part, CsvWriter lines) {
        part.rows()
                .forEach(row -> lines.writeRecord(
                        row.stream().map(SpreadsheetText::cell).toList()));
    }
}
