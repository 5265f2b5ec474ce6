package dev.registrar.autoconfigure;

import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Tells of a type of which an application is to have one bean or a primary one why it has not. */
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
                : Optional.of("several beans of the type %s (%s) and none that is primary"
                        .formatted(type.getSimpleName(), String.join(", ", names)));
    }

    private static boolean isPrimary(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsBeanDefinition(name)
                && beans.getBeanDefinition(name).isPrimary();
    }

    /** The names of the beans of a type, none of which is made for that. */
    static List<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
        return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false));
    }
}
