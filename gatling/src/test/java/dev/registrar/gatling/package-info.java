/**
 * Load tests of the packaged service over HTTP. A simulation defines its requests and the expected answers;
 * {@link dev.registrar.gatling.LoadSimulation} runs it with a profile and then compares the log with the acknowledged
 * events.
 */
package dev.registrar.gatling;
