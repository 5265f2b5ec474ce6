/** Server-sent events for the console's pages: one stream for a page, one producer for all pages of a kind. */
@NullMarked
package dev.registrar.console.live;

import org.jspecify.annotations.NullMarked;
