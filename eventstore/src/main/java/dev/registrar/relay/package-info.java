/**
 * Hands events on to other systems as CloudEvents: to Kafka, or by HTTP. Kafka needs {@code org.apache.kafka:
 * kafka-clients}.
 */
@ApplicationModule(allowedDependencies = {"eventstore", "options", "projection"})
@NullMarked
package dev.registrar.relay;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
