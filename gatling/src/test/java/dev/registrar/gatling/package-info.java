/**
 * Load tests of the packaged service over HTTP. A simulation defines its requests and the expected answers;
 * {@link dev.registrar.gatling.LoadSimulation} runs it with a profile and then compares the log with the acknowledged
 * events. Values of a Gatling session may be absent, so nothing here is checked for null.
 */
@NullUnmarked
package dev.registrar.gatling;

import org.jspecify.annotations.NullUnmarked;
