/**
 * Views and automations, free of any domain: they follow the log, each from a checkpoint of its own. Of Spring it needs
 * spring-jdbc alone, for the tables of views and checkpoints.
 */
@ApplicationModule(allowedDependencies = {"concurrent", "eventstore", "eventstore :: metrics", "subscription"})
@NullMarked
package dev.registrar.projection;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
