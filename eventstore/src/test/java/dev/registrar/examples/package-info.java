/**
 * The examples of dcb.events and of other DCB systems on this store, each in one file: a small application and its
 * published cases, with their messages.
 */
@NullMarked
package dev.registrar.examples;

import org.jspecify.annotations.NullMarked;
