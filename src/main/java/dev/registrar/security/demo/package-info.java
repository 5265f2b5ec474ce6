/** The demo login: four actors and a machine client, with an issuer in this process. On loopback addresses only. */
@NullMarked
package dev.registrar.security.demo;

import org.jspecify.annotations.NullMarked;
