package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.ErrorResponseException;

/** Answers requests that are refused before their body is read. */
public interface RefusedRequests {
    /** Writes the answer: status, headers, and detail of the refusal. */
    void answer(HttpServletRequest request, HttpServletResponse response, ErrorResponseException refusal);
}
