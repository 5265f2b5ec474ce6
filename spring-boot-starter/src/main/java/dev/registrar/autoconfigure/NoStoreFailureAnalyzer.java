package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Explains why the application has no event store to inject: it has no {@code DataSource}, or several of which none is
 * primary.
 */
@Order(0)
final class NoStoreFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {
    private final BeanFactory beans;

    NoStoreFailureAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException failure, @Nullable String injectionPoint) {
        ResolvableType wanted = failure.getResolvableType();
        if (wanted == null
                || !EventStore.class.isAssignableFrom(wanted.toClass())
                || failure.getNumberOfBeansFound() > 0
                || !(beans instanceof ConfigurableListableBeanFactory all)) {
            return null;
        }
        return SingleCandidate.missing(all, DataSource.class)
                .map(missing -> new FailureAnalysis(
                        "%s required a bean of the type '%s' that could not be found: the application has %s."
                                .formatted(
                                        injectionPoint == null ? "A component" : injectionPoint,
                                        wanted.toClass().getName(),
                                        missing),
                        "Define one DataSource, or a primary one, for the database of the store, or define an EventStore bean.",
                        failure))
                .orElse(null);
    }
}
