package dev.registrar.security;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of access to the service.
 *
 * @param allowNetworkWithoutLogin whether the service may listen on an address that other machines can reach, although
 *     it does not ask who is calling; otherwise it refuses to start there
 * @param allowedHosts further names that a request may have in its header Host, without a port, at most 100; localhost,
 *     127.0.0.1, [::1], server.address and, for a management port of its own, management.server.address are allowed
 *     anyway
 * @param rolesClaim the claim of a token that lists the caller's roles (student, course-office, operator, auditor): its
 *     name, or the path to a field, such as realm_access.roles; 1 to 100 characters
 * @param studentClaim the claim of a token that has the id of the caller's own student; 1 to 100 characters
 * @param dcbEnabled whether /dcb and /go-crablet exist with an issuer or the demo login; in the mode local they always
 *     exist
 */
@ConfigurationProperties("registrar.security")
public record SecuritySettings(
        @DefaultValue("false") boolean allowNetworkWithoutLogin,
        @DefaultValue({}) List<String> allowedHosts,
        @DefaultValue("roles") String rolesClaim,
        @DefaultValue("student_id") String studentClaim,
        @DefaultValue("false") boolean dcbEnabled) {
    private static final int MAX_HOSTS = 100;
    private static final int MAX_CLAIM = 100;
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]");

    public SecuritySettings {
        checkClaim("registrar.security.roles-claim", rolesClaim);
        checkClaim("registrar.security.student-claim", studentClaim);
        if (allowedHosts.size() > MAX_HOSTS) {
            throw new IllegalArgumentException("registrar.security.allowed-hosts has at most %d names but has %d"
                    .formatted(MAX_HOSTS, allowedHosts.size()));
        }
        for (String host : allowedHosts) {
            if (!HOST.matcher(host).matches()) {
                throw new IllegalArgumentException(
                        "registrar.security.allowed-hosts has names or addresses without a port, IPv6 in brackets, but has '%s'"
                                .formatted(host));
            }
        }
        allowedHosts =
                allowedHosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    }

    private static void checkClaim(String setting, String claim) {
        if (claim.isBlank() || claim.length() > MAX_CLAIM) {
            throw new IllegalArgumentException(
                    "%s has 1 to %d characters but is '%s'".formatted(setting, MAX_CLAIM, claim));
        }
    }
}
