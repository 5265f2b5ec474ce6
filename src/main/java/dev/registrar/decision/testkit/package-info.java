/** What tests of decisions are written with: a past is given, a decision is carried out, an outcome is claimed. */
@NullMarked
package dev.registrar.decision.testkit;

import org.jspecify.annotations.NullMarked;
