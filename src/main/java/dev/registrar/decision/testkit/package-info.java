/** Tests of decisions: given events, when a decision is carried out, then an outcome. And a clock that tests set. */
@NullMarked
package dev.registrar.decision.testkit;

import org.jspecify.annotations.NullMarked;
