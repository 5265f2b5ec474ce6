package dev.registrar.embedded;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Matches if {@code spring.datasource.url} is missing or empty. */
final class NoDatabaseConfigured extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var missing = in(context.getEnvironment());
        return new ConditionOutcome(missing, "spring.datasource.url is " + (missing ? "not set" : "set"));
    }

    static boolean in(Environment environment) {
        return !StringUtils.hasText(environment.getProperty("spring.datasource.url"));
    }
}
