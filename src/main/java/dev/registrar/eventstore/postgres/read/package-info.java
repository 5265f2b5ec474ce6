/**
 * How the store reads: the statements, the chunks in which events come, the groups of small reads, and the memory that
 * all reads share.
 */
@NamedInterface("read")
@NullMarked
package dev.registrar.eventstore.postgres.read;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
