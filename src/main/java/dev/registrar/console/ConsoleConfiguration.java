package dev.registrar.console;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.FlashMapManager;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.FixedLocaleResolver;

/** Gives controllers of the console the visitor, and their errors a page. */
@Configuration(proxyBeanMethods = false)
class ConsoleConfiguration implements WebMvcConfigurer {
    private final ConsoleErrors errors;

    ConsoleConfiguration(ConsoleErrors errors) {
        this.errors = errors;
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new VisitorArgument());
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new ChosenRole()).addPathPatterns("/console/**");
        registry.addInterceptor(new FormStatus()).addPathPatterns("/console/**");
    }

    @Override
    public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
        resolvers.addFirst(errors);
    }

    /** The pages are in English, with times in UTC until the browser's script writes them in the reader's zone. */
    @Bean
    LocaleResolver localeResolver() {
        return new FixedLocaleResolver(Locale.ENGLISH, TimeZone.getTimeZone("UTC"));
    }

    @Bean
    FlashMapManager flashMapManager() {
        return new LatestFlashMaps();
    }

    private static final class VisitorArgument implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == Visitor.class;
        }

        @Override
        public @Nullable Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer view,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binder) {
            HttpServletRequest servlet = request.getNativeRequest(HttpServletRequest.class);
            Visitor visitor = servlet == null ? null : Visitors.current(servlet).orElse(null);
            if (visitor == null && !parameter.isOptional()) {
                throw new AccessDeniedException("The page needs a visitor");
            }
            return visitor;
        }
    }
}
