@NullMarked
package dev.registrar.console.front;

import org.jspecify.annotations.NullMarked;
