/** The examples of dcb.events on this store, each in one file: a small application and its published cases. */
@NullMarked
package dev.registrar.examples;

import org.jspecify.annotations.NullMarked;
