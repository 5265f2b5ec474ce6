/** A real browser for tests of what web pages can and cannot do. */
@NullMarked
package dev.registrar.browser;

import org.jspecify.annotations.NullMarked;
