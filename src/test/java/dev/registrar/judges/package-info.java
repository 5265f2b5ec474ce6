/**
 * Judges of the store: a load whose every call is recorded, and programs that compare the history of these calls with
 * the log. Nothing here shares the store's own notion of a match.
 */
@NullMarked
package dev.registrar.judges;

import org.jspecify.annotations.NullMarked;
