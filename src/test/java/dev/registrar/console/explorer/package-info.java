@NullMarked
package dev.registrar.console.explorer;

import org.jspecify.annotations.NullMarked;
