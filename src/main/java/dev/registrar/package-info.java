/** The service: it joins the loops to the domain and starts. */
@NullMarked
package dev.registrar;

import org.jspecify.annotations.NullMarked;
