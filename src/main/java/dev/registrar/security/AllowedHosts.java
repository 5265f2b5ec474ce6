package dev.registrar.security;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names by which the service may be called.
 *
 * @param names without a port; in lower case, and IPv6 addresses in their full form
 */
record AllowedHosts(Set<String> names) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]{2,45}]");
    private static final Set<String> ALL_ADDRESSES = Set.of("", "0.0.0.0", "::", "[::]");

    AllowedHosts {
        names = names.stream().map(AllowedHosts::canonical).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The names of this machine for itself, and further ones.
     *
     * @param addresses on which the service listens; an empty one and one that stands for all addresses add no name
     */
    static AllowedHosts of(Collection<String> further, Collection<String> addresses) {
        Stream<String> own = addresses.stream()
                .filter(address -> !ALL_ADDRESSES.contains(address))
                .map(AllowedHosts::bracketed);
        return new AllowedHosts(Stream.of(LOOPBACK.stream(), further.stream(), own)
                .flatMap(names -> names)
                .collect(Collectors.toSet()));
    }

    private static String bracketed(String address) {
        return address.contains(":") && !address.startsWith("[") ? "[%s]".formatted(address) : address;
    }

    /* An IPv6 address can be written in several ways. What is no name and no address stays as it is, and equals no name. */
    private static String canonical(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!IPV6.matcher(lower).matches()) {
            return lower;
        }
        try {
            // A literal: nothing is looked up.
            return InetAddress.getByName(lower) instanceof Inet6Address address
                    ? "[%s]".formatted(address.getHostAddress())
                    : lower;
        } catch (UnknownHostException malformed) {
            return lower;
        }
    }

    /** Whether the header {@code Host} of a request has an allowed name, with any port. */
    boolean contain(String host) {
        return names.contains(canonical(withoutPort(host)));
    }

    private static String withoutPort(String host) {
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        return colon < 0 ? host : host.substring(0, colon);
    }
}
