package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Reads the bodies of forms. The server itself parses none, so that operations of the API take no forms. */
public interface FormBodies {
    /** The request with the fields of its form as parameters; empty if it was refused, and answered. */
    Optional<HttpServletRequest> read(HttpServletRequest request, HttpServletResponse response) throws IOException;
}
