package dev.registrar.http;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.security.AccessMode;
import dev.registrar.security.SecuritySettings;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.webjars.WebJarVersionLocator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves the OpenAPI 3.1 description of the API, and Swagger UI. The description is a generated resource; this class
 * adds what the settings decide: the limits of the store, and access tokens.
 */
@RestController
@Hidden
class DescriptionController implements WebMvcConfigurer {
    /** Relative, so that it holds behind any prefix. */
    private static final String SWAGGER_UI = "swagger-ui/index.html";

    private final byte[] description;

    DescriptionController(EventStore store, JsonMapper mapper, AccessMode mode, SecuritySettings security) {
        ObjectNode described = read(mapper);
        setLimits(described, store.limits());
        if (mode != AccessMode.LOCAL) {
            TokensInDescription.add(described, security.dcbEnabled());
        }
        if (mode == AccessMode.DEMO) {
            described
                    .withObject("/components/securitySchemes/token")
                    .put("scheme", "basic")
                    .remove("bearerFormat");
        }
        this.description = mapper.writeValueAsBytes(described);
    }

    /** JSON is a subset of YAML, so both paths have the same answer. */
    @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] description() {
        return description.clone();
    }

    @GetMapping(path = "/v3/api-docs.yaml", produces = "application/vnd.oai.openapi")
    byte[] descriptionAsYaml() {
        return description.clone();
    }

    @GetMapping("/swagger-ui.html")
    ResponseEntity<Void> swaggerUi() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .header("Location", SWAGGER_UI)
                .build();
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        String version = new WebJarVersionLocator().version("swagger-ui");
        registry.addResourceHandler("/swagger-ui/**")
                // These resources come first: their initializer loads this description instead of an example.
                .addResourceLocations(
                        "classpath:/swagger-ui/", "classpath:/META-INF/resources/webjars/swagger-ui/" + version + "/");
    }

    /** Puts the store's limits into the schemas of its API. */
    static void setLimits(JsonNode description, StoreLimits limits) {
        JsonNode schemas = description.at("/components/schemas");
        object(schemas, "/DcbAppend/properties/events/oneOf/1").put("maxItems", limits.eventsPerAppend());
        setLimits(schemas, "/DcbAppend/properties/locks", limits.locksPerAppend(), limits.keyLength());
        object(schemas, "/DcbNewEvent/properties/type").put("maxLength", limits.typeLength());
        setLimits(schemas, "/DcbNewEvent/properties/tags", limits.tagsPerEvent(), limits.tagLength());
        object(schemas, "/DcbQuery/properties/items").put("maxItems", limits.itemsPerQuery());
        setLimits(schemas, "/DcbQueryItem/properties/types", limits.typesPerItem(), limits.typeLength());
        setLimits(schemas, "/DcbQueryItem/properties/tags", limits.tagsPerItem(), limits.tagLength());
    }

    private static void setLimits(JsonNode schemas, String list, int most, int longest) {
        object(schemas, list).put("maxItems", most);
        object(schemas, list + "/items").put("maxLength", longest);
    }

    private static ObjectNode object(JsonNode schemas, String pointer) {
        if (schemas.at(pointer) instanceof ObjectNode found) {
            return found;
        }
        throw new IllegalStateException("The description of the API has no schema at '%s'".formatted(pointer));
    }

    private static ObjectNode read(JsonMapper mapper) {
        try (InputStream resource = new ClassPathResource("openapi.json").getInputStream()) {
            return (ObjectNode) mapper.readTree(resource);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
