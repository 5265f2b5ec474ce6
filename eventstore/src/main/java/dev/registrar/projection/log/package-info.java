/** Reads of the log by followers: alone, or shared. */
@NullMarked
package dev.registrar.projection.log;

import org.jspecify.annotations.NullMarked;
