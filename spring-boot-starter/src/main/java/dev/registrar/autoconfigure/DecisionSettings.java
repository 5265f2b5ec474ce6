package dev.registrar.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the decision loop.
 *
 * @param storedStates whether states of facts with many events are stored, so that a fresh instance need not fold a
 *     long history from its first event
 */
@ConfigurationProperties("registrar.decisions")
record DecisionSettings(@DefaultValue("true") boolean storedStates) {}
