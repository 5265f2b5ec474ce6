/**
 * Test support for decisions: scenarios (given events, when a decision is carried out, then an outcome) and a settable
 * clock.
 */
@NullMarked
package dev.registrar.decision.testkit;

import org.jspecify.annotations.NullMarked;
