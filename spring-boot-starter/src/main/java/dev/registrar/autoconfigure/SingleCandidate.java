package dev.registrar.autoconfigure;

import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Explains why a type has no single candidate: there is no bean, or several of which none is primary. */
final class SingleCandidate {
    private SingleCandidate() {}

    /** What is missing, as the end of a sentence; empty if there is one bean, or one of several is primary. */
    static Optional<String> missing(ConfigurableListableBeanFactory beans, Class<?> type) {
        List<String> names = names(beans, type);
        if (names.isEmpty()) {
            return Optional.of("no " + type.getSimpleName());
        }
        return names.size() == 1 || names.stream().anyMatch(name -> isPrimary(beans, name))
                ? Optional.empty()
                : Optional.of("several beans of the type %s (%s), none of which is primary"
                        .formatted(type.getSimpleName(), String.join(", ", names)));
    }

    private static boolean isPrimary(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                && beans.getBeanDefinition(name).isPrimary();
    }

    /** The names of the beans of a type. Creates none of them. */
    static List<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
