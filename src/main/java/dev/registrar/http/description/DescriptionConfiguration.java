package dev.registrar.http.description;

import dev.registrar.decision.CommandRegistry;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.eventstore.EventStore;
import dev.registrar.security.AccessMode;
import dev.registrar.security.SecuritySettings;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import java.util.Arrays;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Configures springdoc, which makes the description. */
@Configuration(proxyBeanMethods = false)
@Lazy
class DescriptionConfiguration {
    private static final String SPRINGDOC = "org.springdoc.";
    /** The controller of springdoc. */
    private static final String RESOURCE = "openApiResource";

    /*
     * Springdoc's beans and their classes would slow down each start, although few readers want the description. The
     * controller is made at its first request, and needs all other beans: some register themselves in static fields.
     */
    @Bean
    static BeanFactoryPostProcessor lazySpringdoc() {
        return beans -> {
            List<String> others = Arrays.stream(beans.getBeanDefinitionNames())
                    .filter(name -> !name.equals(RESOURCE) && isOfSpringdoc(beans.getBeanDefinition(name)))
                    .toList();
            others.forEach(name -> beans.getBeanDefinition(name).setLazyInit(true));
            if (beans.containsBeanDefinition(RESOURCE)) {
                beans.getBeanDefinition(RESOURCE).setLazyInit(true);
                beans.getBeanDefinition(RESOURCE).setDependsOn(others.toArray(String[]::new));
            }
        };
    }

    private static boolean isOfSpringdoc(BeanDefinition bean) {
        return String.valueOf(bean.getBeanClassName()).startsWith(SPRINGDOC)
                || String.valueOf(bean.getFactoryBeanName()).startsWith(SPRINGDOC);
    }

    @Bean
    OpenAPI registrarApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Registrar")
                        .version("1")
                        .description("Course enrollment whose consistency boundary is drawn per decision")
                        .license(new License().name("Apache-2.0")));
    }

    @Bean
    RecordSchemas recordSchemas() {
        return new RecordSchemas();
    }

    @Bean
    OpenApiCustomizer sharedDescription(
            CommandRegistry<EnrollmentEvent, Refusal> commands,
            EventStore store,
            AccessMode mode,
            SecuritySettings security) {
        return api -> {
            CompleteSchemas.complete(api.getComponents(), commands, store.limits());
            new SharedDescription(api, mode).complete(mode == AccessMode.LOCAL || security.dcbEnabled());
        };
    }
}
