/** The operator's room: projections, the event store, and where decisions compete. */
@NullMarked
package dev.registrar.console.operations;

import org.jspecify.annotations.NullMarked;
