package dev.registrar.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests that a web page of another origin makes a browser on this machine send. In the mode {@code local},
 * the others are those of the actor {@code local}.
 */
final class LocalRequestFilter extends OncePerRequestFilter {
    /*
     * The browser runs on the machine whose loopback address the service listens on, so the address does not keep the page out.
     *
     * A page whose name resolves to the loopback address is of the same origin for the browser, and may read and write. The
     * browser sends the page's name in Host, and no page can change that: names that are not allowed are refused.
     *
     * A page of another origin cannot read answers, but can send writes. Browsers send Origin with every write. They send
     * Sec-Fetch-Site as well, but not to a plain-HTTP name other than localhost. A client that sends neither is no browser. A
     * page on another port of the same machine is of another origin, although of the same site.
     *
     * A page that cannot read an answer can still measure how long it takes, which distinguishes a search with
     * results from one without. So a page of another origin may lead to a page of the service, as a link does, and reads nothing else.
     */
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");
    private static final Pattern ORIGIN = Pattern.compile("https?://(?<host>[^/@\\s]+)");
    /** Characters of a header that an error shows. */
    private static final int SHOWN = 100;

    private static final CallerAuthentication LOCAL = CallerAuthentication.local();

    private final AllowedHosts hosts;
    private final AccessMode mode;
    private final Refusals refusals;

    LocalRequestFilter(AllowedHosts hosts, AccessMode mode, Refusals refusals) {
        this.hosts = hosts;
        this.mode = mode;
        this.refusals = refusals;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<String> fault = fault(request);
        if (fault.isPresent()) {
            refusals.refuse(request, response, HttpStatus.FORBIDDEN, "any", "foreign-page", fault.get());
            return;
        }
        if (mode == AccessMode.LOCAL) {
            SecurityContextHolder.setContext(new SecurityContextImpl(LOCAL));
        }
        chain.doFilter(request, response);
    }

    private Optional<String> fault(HttpServletRequest request) {
        // HTTP/1.0 has no Host, and no browser sends it.
        String host = request.getHeader("Host");
        if (host != null && !hosts.contain(host)) {
            return Optional.of(
                    "The service is not called '%s': registrar.security.allowed-hosts lists further names for the header Host"
                            .formatted(shown(host)));
        }
        String site = request.getHeader("Sec-Fetch-Site");
        boolean foreign = site != null && !OWN_SITE.contains(site);
        if (SAFE.contains(request.getMethod())) {
            return foreign && !isLink(request)
                    ? Optional.of("Pages of other origins may link to this service only (Sec-Fetch-Site: %s)"
                            .formatted(shown(site)))
                    : Optional.empty();
        }
        if (foreign) {
            return Optional.of("A browser may send %s from a page of this service only (Sec-Fetch-Site: %s)"
                    .formatted(request.getMethod(), shown(site)));
        }
        String origin = request.getHeader("Origin");
        if (origin != null && !isSameOrigin(origin, host)) {
            return Optional.of("A browser may send %s from a page of this service only (Origin: %s)"
                    .formatted(request.getMethod(), shown(origin)));
        }
        return Optional.empty();
    }

    /* Browsers send all of these headers, or none. */
    private static boolean isLink(HttpServletRequest request) {
        String mode = request.getHeader("Sec-Fetch-Mode");
        return mode == null || (mode.equals("navigate") && "document".equals(request.getHeader("Sec-Fetch-Dest")));
    }

    /* The scheme is left out: a proxy may have ended TLS, and one port does not answer both schemes. */
    private static boolean isSameOrigin(String origin, @Nullable String host) {
        Matcher parts = ORIGIN.matcher(origin);
        return host != null && parts.matches() && parts.group("host").equalsIgnoreCase(host);
    }

    private static String shown(String header) {
        return header.substring(0, Math.min(header.length(), SHOWN));
    }
}
