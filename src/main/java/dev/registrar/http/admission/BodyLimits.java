package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.imports.ImportSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * How large a body may be, and how many large ones are in memory at a time: a thousand of them would fill the heap. As
 * many files of imports as there may be imports; further ones are rejected. At most {@value #LARGE_APPENDS} large
 * appends; further ones wait. An append is large if its body exceeds the usual limit or has no known length.
 */
@Component
final class BodyLimits {
    private static final Set<String> APPENDS = Set.of(Paths.DCB + "/append", Paths.GO_CRABLET + "/append");
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

    /**
     * The place of a request's body.
     *
     * @param maxBytes maximum size of the body
     * @param release gives the place back
     */
    record Place(int maxBytes, Runnable release) {}

    /**
     * Takes the place that the request's body needs.
     *
     * @throws OverloadedException if there is no place
     */
    Place enter(HttpServletRequest request) {
        // As the server has normalized it.
        String path = request.getServletPath();
        boolean post = request.getMethod().equals("POST");
        if (post && APPENDS.contains(path)) {
            long length = request.getContentLengthLong();
            return new Place(append, length >= 0 && length <= usual ? BodyLimits::releaseNothing : enterLargeAppend());
        }
        return post && path.equals(Paths.IMPORTS)
                ? new Place(file, enterFile())
                : new Place(usual, BodyLimits::releaseNothing);
    }

    private Runnable enterLargeAppend() {
        if (!acquireLargeAppend()) {
            rejectedRequests.count(Reason.OVERLOADED);
            throw new OverloadedException("Too many large appends at a time (limit %s)".formatted(LARGE_APPENDS));
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
            throw new OverloadedException("Too many import files at a time (limit %s)".formatted(mostFiles));
        }
        return files::release;
    }

    /* A small body takes no place. */
    private static void releaseNothing() {}
}
