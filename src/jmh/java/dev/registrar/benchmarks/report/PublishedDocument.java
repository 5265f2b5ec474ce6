package dev.registrar.benchmarks.report;

import dev.registrar.eventstore.KebabCase;

/** A published document with benchmark figures, each of which has rows of the suite. */
enum PublishedDocument {
    GO_CRABLET_LOCAL(
            "go-crablet, one client",
            "docs/performance-local.md of go-crablet, 30 August 2025 (commit 734010a): Go, PostgreSQL 14.19, Apple M1 Pro"),
    GO_CRABLET_CONCURRENT(
            "go-crablet, many clients",
            "docs/performance-local.md of go-crablet, 31 August 2025 (commit 33a66e3): Go, PostgreSQL 14.19, Apple M1 Pro"),
    GO_CRABLET_CONTAINER(
            "go-crablet and its web application, in containers",
            "docs/benchmarks.md of go-crablet, July 2025 (commit 674537c): Go, PostgreSQL 17.5 in Docker with 4 processors"
                    + " and 2 GB, Apple M1 Pro"),
    OPOSSUM(
            "Opossum",
            "docs/benchmarking/results/phase-2-results-analysis.md of Opossum, February 2026 (commit a599f2f): .NET, an"
                    + " event store in files"),
    PG_PARALLEL(
            "pg-parallel",
            "docs/performance-comparison.md of pg-parallel, August 2025 (commit 9236f63): Node.js, PostgreSQL, Apple M1");

    private final String title;
    private final String source;

    PublishedDocument(String title, String source) {
        this.title = title;
        this.source = source;
    }

    String title() {
        return title;
    }

    /** Returns the document's name and version, and the machine of its figures. */
    String source() {
        return source;
    }

    /** Returns the id in the catalogue of published rows. */
    String id() {
        return KebabCase.of(this);
    }

    static PublishedDocument ofId(String id) {
        for (PublishedDocument document : values()) {
            if (document.id().equals(id)) {
                return document;
            }
        }
        throw new IllegalArgumentException("No document is '%s'".formatted(id));
    }
}
