package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the bodies of forms. The server itself parses none, so that operations of the API take no forms. */
public interface FormBodies {
    /** The form of a request; empty if it was refused, and answered. */
    Optional<Form> read(HttpServletRequest request, HttpServletResponse response) throws IOException;

    /**
     * A form.
     *
     * @param request with the fields as parameters, after those of its query
     * @param fields names and values in their order
     */
    record Form(HttpServletRequest request, Map<String, List<String>> fields) {}
}
