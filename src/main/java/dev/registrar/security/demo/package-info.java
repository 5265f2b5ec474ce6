/** The demo login: four persons and a machine client with one password. On loopback addresses only. */
@NullMarked
package dev.registrar.security.demo;

import org.jspecify.annotations.NullMarked;
