package dev.registrar.security;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.springframework.core.env.Environment;

/**
 * The names by which the service may be called.
 *
 * @param names in lower case, without a port; IPv6 addresses in brackets, in the short form that browsers send
 */
record AllowedHosts(Set<String> names) {
    private static final Set<String> ALL_ADDRESSES = Set.of("", "0.0.0.0", "::", "[::]");

    /** The names of this machine for itself, the addresses on which the service listens, and further names. */
    static AllowedHosts of(Collection<String> further, Environment environment) {
        Set<String> names = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
        further.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        for (String setting : StartCheck.addresses(environment).keySet()) {
            String address = environment.getProperty(setting, "").toLowerCase(Locale.ROOT);
            if (!ALL_ADDRESSES.contains(address)) {
                names.add(address.contains(":") && !address.startsWith("[") ? "[%s]".formatted(address) : address);
            }
        }
        return new AllowedHosts(Set.copyOf(names));
    }

    /** Whether the header {@code Host} of a request has an allowed name, with any port. */
    boolean contain(String host) {
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        String name = colon < 0 ? host : host.substring(0, colon);
        return names.contains(name.toLowerCase(Locale.ROOT));
    }
}
