/** Streams of stored and new events over HTTP: server-sent events and NDJSON. */
@NullMarked
package dev.registrar.http.live;

import org.jspecify.annotations.NullMarked;
