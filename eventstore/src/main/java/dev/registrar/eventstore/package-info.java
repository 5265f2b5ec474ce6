/**
 * The contract of an event store with dynamic consistency boundaries, and an in-memory implementation. Depends on no
 * database and no framework.
 *
 * @see <a href="https://dcb.events/specification/">the DCB specification</a>
 */
@ApplicationModule(allowedDependencies = {"concurrent", "options"})
@NullMarked
package dev.registrar.eventstore;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
