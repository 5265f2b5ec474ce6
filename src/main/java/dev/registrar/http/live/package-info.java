/** Streams of stored and new events over HTTP: server-sent events and NDJSON. */
@NamedInterface("live")
@NullMarked
package dev.registrar.http.live;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
