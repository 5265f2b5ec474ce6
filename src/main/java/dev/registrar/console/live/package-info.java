/** Tells open pages of the console that what they show has changed. */
@NullMarked
package dev.registrar.console.live;

import org.jspecify.annotations.NullMarked;
