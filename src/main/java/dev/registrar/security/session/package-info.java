/** Persons at browsers: their logins, sessions and forms. Used by the console alone; the API has none of these. */
@NamedInterface("session")
@NullMarked
package dev.registrar.security.session;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
