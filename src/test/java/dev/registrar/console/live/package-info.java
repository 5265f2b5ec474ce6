@NullMarked
package dev.registrar.console.live;

import org.jspecify.annotations.NullMarked;
