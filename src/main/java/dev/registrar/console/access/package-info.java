/** The login form of the demo login. */
@NullMarked
package dev.registrar.console.access;

import org.jspecify.annotations.NullMarked;
