package dev.registrar.http.description;

import dev.registrar.http.dcb.DcbController;
import dev.registrar.http.problem.Problem;
import dev.registrar.security.AccessMode;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** Adds what operations share to the description: headers, problems, the security scheme, and strict request bodies. */
final class SharedDescription {
    private static final String SCHEME = "token";
    private static final Pattern REFERENCE = Pattern.compile("\"" + RecordSchemas.REFERENCE + "(\\w+)\"");

    private final OpenAPI api;
    private final AccessMode mode;

    SharedDescription(OpenAPI api, AccessMode mode) {
        this.api = api;
        this.mode = mode;
    }

    /**
     * Completes the description.
     *
     * @param storeEnabled whether the service has the operations of the event store; otherwise they are left out
     */
    void complete(boolean storeEnabled) {
        if (!storeEnabled) {
            api.getPaths().keySet().removeIf(path -> path.startsWith(DcbController.PATH + "/"));
        }
        api.setServers(List.of(new Server().url("..").description("This service, relative to its description")));
        addProblems();
        if (mode != AccessMode.LOCAL) {
            addLogin();
        }
        api.getPaths()
                .forEach((path, item) -> item.readOperationsMap()
                        .forEach((method, operation) ->
                                new SharedOperation(path, method, operation).complete(mode != AccessMode.LOCAL)));
        closeRequests();
        sort();
    }

    private void addProblems() {
        ModelConverters.getInstance(true)
                .readAll(DescribedProblem.Shape.class)
                .forEach(api.getComponents()::addSchemas);
        Schema<?> shape = new JsonSchema().$ref(RecordSchemas.REFERENCE + "Problem");
        for (DescribedProblem problem : DescribedProblem.values()) {
            MediaType content = new MediaType().schema(shape);
            problem.codes.forEach(code -> content.addExamples(code, example(problem, code)));
            api.getComponents()
                    .addResponses(
                            problem.key(),
                            new ApiResponse()
                                    .description(problem.description)
                                    .content(new Content().addMediaType("application/problem+json", content)));
        }
    }

    private static Example example(DescribedProblem described, String code) {
        HttpStatus status = HttpStatus.valueOf(Integer.parseInt(described.status));
        ProblemDetail problem = Problem.of(status, code, null);
        return new Example()
                .value(Map.of(
                        "type", String.valueOf(problem.getType()),
                        "title", String.valueOf(problem.getTitle()),
                        "status", status.value(),
                        "code", code));
    }

    private void addLogin() {
        SecurityScheme scheme = new SecurityScheme().type(SecurityScheme.Type.HTTP);
        if (mode == AccessMode.DEMO) {
            scheme.scheme("basic");
        } else {
            scheme.scheme("bearer").bearerFormat("JWT");
        }
        api.getComponents().addSecuritySchemes(SCHEME, scheme);
        api.addSecurityItem(new SecurityRequirement().addList(SCHEME));
    }

    /* A request has only the described fields; for an optional field, null and absence are equivalent. */
    private void closeRequests() {
        Set<String> closed = new HashSet<>();
        Deque<Object> left = new ArrayDeque<>();
        for (Operation operation : operations()) {
            if (operation.getRequestBody() != null) {
                left.add(operation.getRequestBody());
            }
            left.addAll(operation.getParameters());
        }
        while (!left.isEmpty()) {
            REFERENCE
                    .matcher(Json31.pretty(left.remove()))
                    .results()
                    .map(found -> found.group(1))
                    .filter(closed::add)
                    .forEach(name -> left.add(schema(name)));
        }
        closed.forEach(name -> close(schema(name)));
    }

    private Schema<?> schema(String name) {
        return Objects.requireNonNull(api.getComponents().getSchemas().get(name), name);
    }

    private List<Operation> operations() {
        return api.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .toList();
    }

    private void sort() {
        Paths inOrder = new Paths();
        new TreeMap<>(api.getPaths()).forEach(inOrder::addPathItem);
        api.setPaths(inOrder);
        api.setTags(api.getTags().stream()
                .sorted(Comparator.comparing(Tag::getName))
                .toList());
    }

    private static void close(Schema<?> schema) {
        if (schema.getProperties() != null) {
            schema.setAdditionalProperties(false);
            List<String> required = schema.getRequired() == null ? List.of() : schema.getRequired();
            schema.getProperties()
                    .replaceAll((name, property) -> required.contains(name) ? property : orNull(property));
        }
    }

    private static Schema<?> orNull(Schema<?> schema) {
        if (schema.get$ref() != null) {
            return new JsonSchema()
                    .addAnyOfItem(new JsonSchema().$ref(schema.get$ref()))
                    .addAnyOfItem(new JsonSchema().types(Set.of("null")))
                    .description(schema.getDescription());
        }
        schema.addType("null");
        return schema;
    }
}
