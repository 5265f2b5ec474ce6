package dev.registrar.console.rush;

/** What a student of a race knows. */
enum Answer {
    WAITING,
    ENROLLED,
    /** Enrolled, although all seats were taken. */
    OVERBOOKED,
    /** The course was full. */
    FULL,
    /** Neither: too many conflicts, or a failure. */
    FAILED
}
