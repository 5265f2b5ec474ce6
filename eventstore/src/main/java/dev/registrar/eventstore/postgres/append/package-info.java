/** The calls of the stored functions that append events and check conditions. Internal to the store. */
@NullMarked
package dev.registrar.eventstore.postgres.append;

import org.jspecify.annotations.NullMarked;
