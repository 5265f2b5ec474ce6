package dev.registrar.security;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches in the mode {@code local} only: for what must not exist where a service asks who is calling. */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnLocalMode.InLocalMode.class)
public @interface ConditionalOnLocalMode {

    /** Reads the mode from the settings. */
    final class InLocalMode implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return AccessMode.of(context.getEnvironment()) == AccessMode.LOCAL;
        }
    }
}
