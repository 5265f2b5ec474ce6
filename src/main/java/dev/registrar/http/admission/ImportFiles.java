package dev.registrar.http.admission;

import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.imports.ImportSettings;
import java.util.concurrent.Semaphore;
import org.springframework.stereotype.Component;

/** Bounds the files of imports that are in memory: their size, and as many at a time as there may be imports. */
@Component
final class ImportFiles {
    private final int maxBytes;
    private final int most;
    private final Semaphore permits;
    private final RejectedRequests rejectedRequests;

    ImportFiles(ImportSettings settings, RejectedRequests rejectedRequests) {
        this.maxBytes = Math.toIntExact(settings.maxFileSize().toBytes());
        this.most = 1 + settings.maxWaiting();
        this.permits = new Semaphore(most);
        this.rejectedRequests = rejectedRequests;
    }

    /** Maximum size of a file, in bytes. */
    int maxBytes() {
        return maxBytes;
    }

    /** Takes one of the places for files. If there is none, the request counts as rejected. */
    boolean enter() {
        boolean entered = permits.tryAcquire();
        if (!entered) {
            rejectedRequests.count(Reason.IMPORTS);
        }
        return entered;
    }

    /** Gives back a place. */
    void leave() {
        permits.release();
    }

    OverloadedException tooMany() {
        return new OverloadedException("Too many import files at a time (limit %d)".formatted(most));
    }
}
