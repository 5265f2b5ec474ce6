package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.imports.ImportSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Component;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * How large a body may be, and how many large ones are in memory at a time: a thousand of them would fill the heap. As
 * many files of imports as there may be imports; further ones are rejected. At most {@value #LARGE_APPENDS} large
 * appends; further ones wait. An append is large if its body exceeds the usual limit or has no known length.
 */
@Component
final class BodyLimits {
    private static final int LARGE_APPENDS = 16;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final int usual;
    private final int append;
    private final int file;
    private final int mostFiles;
    private final Semaphore files;
    private final Semaphore largeAppends = new Semaphore(LARGE_APPENDS, true);
    private final RejectedRequests rejectedRequests;

    BodyLimits(HttpSettings settings, ImportSettings imports, RejectedRequests rejectedRequests) {
        this.usual = Math.toIntExact(settings.maxBodySize().toBytes());
        this.append = Math.toIntExact(settings.maxAppendSize().toBytes());
        this.file = Math.toIntExact(imports.maxFileSize().toBytes());
        this.mostFiles = 1 + imports.maxWaiting();
        this.files = new Semaphore(mostFiles);
        this.rejectedRequests = rejectedRequests;
    }

    private enum Kind {
        USUAL,
        APPEND,
        FILE;

        private static final PathPattern IMPORT = PathPatternParser.defaultInstance.parse(Paths.IMPORTS);
        private static final PathPattern DCB_APPEND = PathPatternParser.defaultInstance.parse(Paths.DCB + "/append");
        private static final PathPattern GO_CRABLET_APPEND =
                PathPatternParser.defaultInstance.parse(Paths.GO_CRABLET + "/append");

        static Kind of(HttpServletRequest request) {
            if (!request.getMethod().equals("POST")) {
                return USUAL;
            }
            PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
            if (DCB_APPEND.matches(path) || GO_CRABLET_APPEND.matches(path)) {
                return APPEND;
            }
            return IMPORT.matches(path) ? FILE : USUAL;
        }
    }

    /** Maximum size of the request's body, in bytes. */
    int maxBytes(HttpServletRequest request) {
        return switch (Kind.of(request)) {
            case USUAL -> usual;
            case APPEND -> append;
            case FILE -> file;
        };
    }

    /**
     * Takes the place that the request's body needs, and returns what gives it back; null if it needs none.
     *
     * @throws OverloadedException if there is no place
     */
    @Nullable Runnable enter(HttpServletRequest request) {
        return switch (Kind.of(request)) {
            case USUAL -> null;
            case APPEND -> {
                long length = request.getContentLengthLong();
                yield length >= 0 && length <= usual ? null : enterLargeAppend();
            }
            case FILE -> enterFile();
        };
    }

    private Runnable enterLargeAppend() {
        if (!acquireLargeAppend()) {
            rejectedRequests.count(Reason.OVERLOADED);
            throw new OverloadedException("Too many large appends at a time (limit %d)".formatted(LARGE_APPENDS));
        }
        return largeAppends::release;
    }

    private boolean acquireLargeAppend() {
        try {
            return largeAppends.tryAcquire(Deadline.left(LONGEST_WAIT).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Takes the place of a file; see {@link #enter}. */
    Runnable enterFile() {
        if (!files.tryAcquire()) {
            rejectedRequests.count(Reason.IMPORTS);
            throw new OverloadedException("Too many import files at a time (limit %d)".formatted(mostFiles));
        }
        return files::release;
    }
}
