/**
 * Load over HTTP on the packaged service. A simulation names what it sends and what it expects of the answers;
 * {@link dev.registrar.gatling.LoadSimulation} lets it run under a profile and looks afterwards whether the log agrees
 * with what was acknowledged.
 */
package dev.registrar.gatling;
