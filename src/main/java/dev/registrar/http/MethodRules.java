package dev.registrar.http;

import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.method.AuthorizationAdvisor;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;

/** The rules of single methods, beside those of the paths. */
@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity(prePostEnabled = false)
class MethodRules {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AuthorizationAdvisor ownStudentAdvisor(ObjectProvider<AuthorizationEventPublisher> publisher) {
        AuthorizationManagerBeforeMethodInterceptor advisor = new AuthorizationManagerBeforeMethodInterceptor(
                AnnotationMatchingPointcut.forMethodAnnotation(OwnStudent.class), new OwnStudentRule());
        publisher.ifAvailable(advisor::setAuthorizationEventPublisher);
        return advisor;
    }
}
