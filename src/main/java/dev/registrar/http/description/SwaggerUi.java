package dev.registrar.http.description;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.webjars.WebJarVersionLocator;

/** Serves Swagger UI, which shows the description to people. */
@RestController
class SwaggerUi implements WebMvcConfigurer {
    /** Relative, so that it holds behind any prefix. */
    private static final String PAGE = "swagger-ui/index.html";

    @GetMapping("/swagger-ui.html")
    ResponseEntity<Void> page() {
        return ResponseEntity.status(HttpStatus.FOUND).header("Location", PAGE).build();
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
