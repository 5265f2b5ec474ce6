/** The web API of go-crablet, so that its clients run unchanged against this store. */
@NullMarked
package dev.registrar.http.gocrablet;

import org.jspecify.annotations.NullMarked;
