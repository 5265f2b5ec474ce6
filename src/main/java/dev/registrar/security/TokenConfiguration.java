package dev.registrar.security;

import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;

/** The mode with an issuer: every request needs an access token. */
@Configuration(proxyBeanMethods = false)
@Conditional(TokenConfiguration.InTokenMode.class)
class TokenConfiguration {

    /** Reads the mode from the settings. */
    static final class InTokenMode implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return AccessMode.of(context.getEnvironment()) == AccessMode.TOKENS;
        }
    }

    @Bean
    CheckedTokens accessTokens(JwtDecoder decoder, SecuritySettings settings, InstantSource clock) {
        return new CheckedTokens(decoder, new TokenCallers(settings.rolesClaim(), settings.studentClaim()), clock);
    }

    @Bean
    AreaAccess tokenAccess(CheckedTokens tokens, RefusedRequests answers, RefusalLog log) {
        return new AreaAccess(new RequestAttributeSecurityContextRepository(), tokens, answers, log);
    }
}
