package dev.registrar.security;

import java.util.List;

/** How a caller of this service logs in, for the message at the end of a start. */
public interface LoginHint {
    /**
     * The lines of the hint.
     *
     * @param url of the service
     */
    List<String> lines(String url);
}
