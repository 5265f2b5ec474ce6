package dev.registrar.security.browser;

import dev.registrar.Api;
import dev.registrar.browser.Browser;

/**
 * The parts of an attack, for all tests of a class.
 *
 * @param browser of the user whose machine runs the service
 * @param api the service, as a client that is no browser calls it
 * @param site the attacker's site
 * @param unprotected the service without its protection
 * @param service the service as it is
 */
record Scene(Browser browser, Api api, Relay site, Relay unprotected, Relay service) implements AutoCloseable {

    /** Opens a browser beside the service on this port. */
    static Scene of(int port) {
        return new Scene(Browser.open(), new Api(port), Relay.to(port), Relay.withoutProtection(port), Relay.to(port));
    }

    /** The position of the last event. */
    long head() {
        return api.get("/dcb/head").json().path("head").asLong();
    }

    @Override
    public void close() {
        service.close();
        unprotected.close();
        site.close();
        browser.close();
    }
}
