package dev.registrar.http.description;

import org.springframework.stereotype.Component;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.webjars.WebJarVersionLocator;

/** Serves Swagger UI, which shows the description to people. */
@Component
class SwaggerUi implements WebMvcConfigurer {
    /** Relative, so that it holds behind any prefix. */
    private static final String PAGE = "swagger-ui/index.html";

    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addRedirectViewController("/swagger-ui.html", PAGE);
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        String version = new WebJarVersionLocator().version("swagger-ui");
        registry.addResourceHandler("/swagger-ui/**")
                // These resources come first: their initializer loads this description instead of an example.
                .addResourceLocations(
                        "classpath:/swagger-ui/", "classpath:/META-INF/resources/webjars/swagger-ui/" + version + "/");
    }
}
