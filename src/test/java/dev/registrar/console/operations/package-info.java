@NullMarked
package dev.registrar.console.operations;

import org.jspecify.annotations.NullMarked;
