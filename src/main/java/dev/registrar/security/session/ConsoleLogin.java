package dev.registrar.security.session;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;

/**
 * The issuer at which persons log in.
 *
 * @param clients has the registration of the console
 * @param idTokens checks the ID tokens that the issuer makes for the console
 * @param tls with which the service exchanges a code at the issuer; null for that of the JVM
 */
public record ConsoleLogin(
        ClientRegistrationRepository clients,
        JwtDecoderFactory<ClientRegistration> idTokens,
        @Nullable SSLContext tls) {

    public ConsoleLogin(ClientRegistrationRepository clients, JwtDecoderFactory<ClientRegistration> idTokens) {
        this(clients, idTokens, null);
    }
}
