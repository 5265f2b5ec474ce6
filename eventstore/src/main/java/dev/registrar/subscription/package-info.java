/**
 * Follows a store: subscriptions, the live feed with its log tailer, and wake-ups by NOTIFY. It knows no domain and no
 * Spring; only {@link dev.registrar.subscription.Notifications} needs pgjdbc.
 */
@ApplicationModule(allowedDependencies = {"concurrent", "eventstore", "options"})
@NullMarked
package dev.registrar.subscription;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
