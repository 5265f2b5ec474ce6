/**
 * Following a store: subscriptions, the live feed with its log tailer, and the wake-up by NOTIFY. It knows no domain
 * and no Spring; {@link dev.registrar.subscription.Notifications} alone need pgjdbc.
 */
@ApplicationModule(allowedDependencies = {"concurrent", "eventstore"})
@NullMarked
package dev.registrar.subscription;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
