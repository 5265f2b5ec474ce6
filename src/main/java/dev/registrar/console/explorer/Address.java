package dev.registrar.console.explorer;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The address of a page of this service, with its parameters. */
final class Address {
    private final StringBuilder text;
    private char separator = '?';

    Address(String path) {
        this.text = new StringBuilder(path);
    }

    Address with(String name, String value) {
        text.append(separator)
                .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
        separator = '&';
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
