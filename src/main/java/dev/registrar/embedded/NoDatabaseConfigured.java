package dev.registrar.embedded;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Matches if {@code spring.datasource.url} is missing or empty. */
final class NoDatabaseConfigured extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var configured = StringUtils.hasText(context.getEnvironment().getProperty("spring.datasource.url"));
        return new ConditionOutcome(!configured, "spring.datasource.url is " + (configured ? "set" : "not set"));
    }
}
