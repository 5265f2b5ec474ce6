package dev.registrar.transfer;

/**
 * A history that was exported or imported.
 *
 * @param events the number of its events
 * @param added how many of them this call has written; the others were written before
 * @param digest the digest of all its events ({@code sha256:…}): of their ids, times, types, tags, payloads, metadata
 *     and actors in their order, and not of their positions
 */
public record HistorySummary(long events, long added, String digest) {}
