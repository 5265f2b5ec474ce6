@NullMarked
package dev.registrar.console;

import org.jspecify.annotations.NullMarked;
