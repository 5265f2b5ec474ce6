package dev.registrar.http;

import dev.registrar.decision.CommandRegistry;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.http.dcb.DcbController;
import dev.registrar.http.live.LiveController;
import dev.registrar.http.problem.Problem;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.oas.models.tags.Tag;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * Generates the description of the API in OpenAPI 3.1 from the controllers' annotations, completes it and sorts it. The
 * result is committed as a resource of the service: {@link DescriptionTest}.
 */
class GeneratedDescription {
    /** The operations' tags in reading order, each with a description. */
    private static final Map<String, String> TAGS = new LinkedHashMap<>();

    static {
        TAGS.put(CourseController.TAG, "Define, look up, change and close courses");
        TAGS.put(StudentController.TAG, "Register and look up students");
        TAGS.put(EnrollmentController.TAG, "Enroll students in courses");
        TAGS.put(WaitingListController.TAG, "Wait for a seat in a full course");
        TAGS.put(CatalogController.TAG, "List courses and students page by page");
        TAGS.put(CommandController.TAG, "Send commands by type name, and look up executed commands");
        TAGS.put(ImportController.TAG, "Define many courses with one file");
        TAGS.put(LiveController.TAG, "Listen to events as they are appended");
        TAGS.put(DcbController.TAG, "The event store itself, for clients of DCB stores");
        TAGS.put(ProjectionController.TAG, "Views and automations, for operators");
    }

    /** The shape of a problem, for the description only. */
    @io.swagger.v3.oas.annotations.media.Schema(
            name = DescribedOperation.PROBLEM,
            description = "Problem details (RFC 9457)")
    record DescribedProblem(
            @io.swagger.v3.oas.annotations.media.Schema(example = "urn:registrar:problem:course-full")
            URI type,

            @io.swagger.v3.oas.annotations.media.Schema(example = "Course full")
            String title,

            @io.swagger.v3.oas.annotations.media.Schema(example = "409")
            int status,

            @Nullable String detail,

            @io.swagger.v3.oas.annotations.media.Schema(
                    example = "/api/courses/maths-101/students/ann",
                    description = "Absent if the path of the request could not be read")
            @Nullable String instance,

            @io.swagger.v3.oas.annotations.media.Schema(example = "course-full", description = "Stable")
            String code,

            @io.swagger.v3.oas.annotations.media.Schema(
                    example = "connection",
                    description = "The category of the database failure, if that is the reason")
            @Nullable String category,

            @Nullable List<Problem.FieldError> errors) {}

    @Bean
    OpenAPI registrarApi() {
        OpenAPI api = new OpenAPI()
                .info(new Info()
                        .title("Registrar")
                        .version("1")
                        .description("Course enrollment whose consistency boundary is drawn per decision")
                        .license(new License().name("Apache-2.0")));
        TAGS.forEach((name, description) -> api.addTagsItem(new Tag().name(name).description(description)));
        return api;
    }

    @Bean
    RequiredComponents requiredComponents() {
        return new RequiredComponents();
    }

    @Bean
    OpenApiCustomizer completed(CommandRegistry<EnrollmentEvent, Refusal> commands) {
        return api -> {
            ModelConverters.getInstance(true).readAll(DescribedProblem.class).forEach(api.getComponents()::addSchemas);
            api.getPaths()
                    .forEach((path, item) -> item.readOperationsMap()
                            .forEach(
                                    (method, operation) -> new DescribedOperation(path, method, operation).complete()));
            DescribedCommands.complete(api.getComponents(), commands);
            DescribedStoreSchemas.complete(api.getComponents().getSchemas());
            new DescribedSchemas(api).complete();
            api.setPaths(inOrder(api.getPaths()));
            api.setServers(List.of(new Server().url("..").description("This service, relative to its description")));
        };
    }

    private static Paths inOrder(Paths paths) {
        List<Map.Entry<String, PathItem>> entries = new ArrayList<>(paths.entrySet());
        entries.sort(Comparator.<Map.Entry<String, PathItem>>comparingInt(entry -> place(entry.getValue()))
                .thenComparing(Map.Entry::getKey));
        Paths ordered = new Paths();
        entries.forEach(entry -> ordered.addPathItem(entry.getKey(), entry.getValue()));
        return ordered;
    }

    /* A path is sorted by the first of its operations. */
    private static int place(PathItem item) {
        List<String> tags = List.copyOf(TAGS.keySet());
        return item.readOperations().stream()
                .map(Operation::getTags)
                .mapToInt(tag -> tags.indexOf(tag.getFirst()))
                .min()
                .orElseThrow();
    }
}
