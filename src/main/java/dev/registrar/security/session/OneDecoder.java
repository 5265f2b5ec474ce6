package dev.registrar.security.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;

/** Makes one decoder for each registration, so that the keys that it has fetched are used by the next login. */
final class OneDecoder implements JwtDecoderFactory<ClientRegistration> {
    private final Function<ClientRegistration, JwtDecoder> maker;
    private final Map<String, JwtDecoder> decoders = new ConcurrentHashMap<>();

    OneDecoder(Function<ClientRegistration, JwtDecoder> maker) {
        this.maker = maker;
    }

    @Override
    public JwtDecoder createDecoder(ClientRegistration client) {
        return decoders.computeIfAbsent(client.getRegistrationId(), id -> maker.apply(client));
    }
}
