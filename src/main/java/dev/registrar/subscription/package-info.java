/**
 * Events as they come: the log tailer and its live feed, subscriptions with a cursor of their own, and the wake-up by
 * NOTIFY. It knows no domain.
 */
@ApplicationModule(allowedDependencies = {"concurrent", "eventstore"})
@NullMarked
package dev.registrar.subscription;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
