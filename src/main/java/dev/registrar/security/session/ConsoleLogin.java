package dev.registrar.security.session;

import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;

/**
 * The issuer at which persons log in.
 *
 * @param clients has the registration of the console
 * @param idTokens checks the ID tokens that the issuer makes for the console
 */
public record ConsoleLogin(ClientRegistrationRepository clients, JwtDecoderFactory<ClientRegistration> idTokens) {}
