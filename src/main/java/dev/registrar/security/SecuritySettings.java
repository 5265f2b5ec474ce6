package dev.registrar.security;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of access to the service.
 *
 * @param allowNetworkWithoutLogin whether the service may listen on an address that other machines can reach, although
 *     it does not ask who is calling; otherwise it refuses to start there
 * @param allowedHosts further names that a request may have in its header Host, without a port; localhost, 127.0.0.1,
 *     [::1], server.address and, for a management port of its own, management.server.address are allowed anyway
 * @param rolesClaim the claim of a token that lists the caller's roles (student, course-office, operator, auditor): its
 *     name, or the path to a field, such as realm_access.roles; 1 to 100 characters
 * @param studentClaim the claim of a token that has the id of the caller's own student; 1 to 100 characters
 * @param dcbEnabled whether /dcb and /go-crablet exist with an issuer or the demo login; in the mode local they always
 *     exist
 */
@Validated
@ConfigurationProperties("registrar.security")
public record SecuritySettings(
        @DefaultValue("false") boolean allowNetworkWithoutLogin,
        @DefaultValue({}) List<String> allowedHosts,
        @DefaultValue("roles") @NotBlank @Size(max = 100) String rolesClaim,

        @DefaultValue("student_id") @NotBlank @Size(max = 100) String studentClaim,

        @DefaultValue("false") boolean dcbEnabled) {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}]");

    public SecuritySettings {
        for (String host : allowedHosts) {
            if (!HOST.matcher(host).matches()) {
                throw new IllegalArgumentException(
                        "registrar.security.allowed-hosts has names or addresses without a port, IPv6 in brackets, but has '%s'"
                                .formatted(host));
            }
        }
        allowedHosts = List.copyOf(allowedHosts);
    }
}
