package dev.registrar.security;

import org.springframework.security.config.annotation.web.builders.HttpSecurity;

/** How the console knows the person at a browser, and tells their forms from forged ones. */
public interface BrowserAccess {
    /** Adds its filters to the chain of the console. */
    void addTo(HttpSecurity http);
}
