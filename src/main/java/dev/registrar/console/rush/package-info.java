/**
 * The rush: a hundred students race for ten seats, with the condition and without it. In the mode {@code local} only.
 */
@NullMarked
package dev.registrar.console.rush;

import org.jspecify.annotations.NullMarked;
