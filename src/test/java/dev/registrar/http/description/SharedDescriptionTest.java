package dev.registrar.http.description;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.security.AccessMode;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SharedDescriptionTest {
    private static OpenAPI described(AccessMode mode, boolean storeEnabled) {
        Paths paths = new Paths()
                .addPathItem("/api/courses", new PathItem().get(new Operation().responses(new ApiResponses())))
                .addPathItem("/dcb/append", new PathItem().post(new Operation().responses(new ApiResponses())));
        OpenAPI api = new OpenAPI().components(new Components()).paths(paths).tags(List.of(new Tag().name("Courses")));
        new SharedDescription(api, mode).complete(storeEnabled);
        return api;
    }

    @ParameterizedTest
    @EnumSource(
            value = AccessMode.class,
            names = {"DEMO", "TOKENS"})
    void with_a_login_every_operation_says_how_it_is_refused(AccessMode mode) {
        OpenAPI api = described(mode, true);

        assertThat(api.getComponents().getSecuritySchemes().get("token"))
                .extracting(SecurityScheme::getScheme)
                .isEqualTo(mode == AccessMode.DEMO ? "basic" : "bearer");
        assertThat(api.getSecurity())
                .singleElement()
                .satisfies(needed -> assertThat(needed).containsKey("token"));
        assertThat(api.getPaths().values())
                .hasSize(2)
                .flatExtracting(PathItem::readOperations)
                .allSatisfy(operation -> assertThat(operation.getResponses()).containsKeys("401", "403"));
    }

    @Test
    void without_a_login_no_operation_needs_one() {
        OpenAPI api = described(AccessMode.LOCAL, true);

        assertThat(api.getSecurity()).isNull();
        assertThat(api.getPaths().values())
                .flatExtracting(PathItem::readOperations)
                .allSatisfy(operation -> assertThat(operation.getResponses()).doesNotContainKeys("401", "403"));
    }

    @Test
    void without_the_store_its_operations_are_left_out() {
        assertThat(described(AccessMode.TOKENS, false).getPaths()).containsOnlyKeys("/api/courses");
    }
}
