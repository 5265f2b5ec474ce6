package dev.registrar.http;

import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds to the description of the API what holds for all of it: headers, and the problems that any request may meet. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
    private static final String APPEND = "append";
    private static final String PROBLEM = "Problem";
    private static final String SLOW_BODY = "The body did not arrive in time";
    private static final String TOO_MANY = "This client sends too many requests";

    /** The shape of a problem, for the description only. */
    @io.swagger.v3.oas.annotations.media.Schema(name = PROBLEM, description = "Problem details (RFC 9457)")
    record DescribedProblem(
            @io.swagger.v3.oas.annotations.media.Schema(example = "urn:registrar:problem:course-full")
            URI type,

            @io.swagger.v3.oas.annotations.media.Schema(example = "Course full")
            String title,

            @io.swagger.v3.oas.annotations.media.Schema(example = "409")
            int status,

            @Nullable String detail,

            @io.swagger.v3.oas.annotations.media.Schema(example = "/api/courses/maths-101/students/ann")
            String instance,

            @io.swagger.v3.oas.annotations.media.Schema(example = "course-full", description = "Stable")
            String code,

            @io.swagger.v3.oas.annotations.media.Schema(
                    example = "connection",
                    description = "The kind of the database's failure, where that is the reason")
            @Nullable String category,

            @Nullable List<Problem.FieldError> errors) {}

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
    OpenApiCustomizer whatHoldsForAll() {
        return api -> {
            ModelConverters.getInstance(true).readAll(DescribedProblem.class).forEach(api.getComponents()::addSchemas);
            api.getPaths().values().forEach(path -> path.readOperationsMap().forEach(OpenApiConfiguration::complete));
        };
    }

    private static void complete(HttpMethod method, Operation operation) {
        boolean reads = method == HttpMethod.GET;
        boolean imports = operation.getTags().contains(ImportController.TAG);
        boolean ofStore = operation.getTags().contains(DcbController.TAG);
        ApiResponses responses = operation.getResponses();
        if (ofStore) {
            completeOfStore(reads, operation);
            return;
        }
        if (operation.getTags().contains(LiveController.TAG)) {
            completeLive(operation);
            return;
        }
        if (!imports) {
            responses.forEach((status, success) -> success.addHeaderObject(
                    reads ? "ETag" : Headers.POSITION,
                    header(
                            reads
                                    ? "The position that the answer rests on"
                                    : "The position of the write's last event")));
        }
        for (String status : List.of("201", "202")) {
            if (responses.containsKey(status)) {
                responses.get(status).addHeaderObject("Location", header("Where it is found"));
            }
        }
        operation.addParametersItem(parameter(Headers.CORRELATION_ID, "Taken or made, answered, kept with the events"));
        if (!reads) {
            operation.addParametersItem(parameter(Headers.IDEMPOTENCY_KEY, "Makes a repetition harmless"));
        } else if (!imports) {
            operation.addParametersItem(parameter("If-None-Match", "An ETag: answers 304 where nothing has changed"));
        }
        (imports ? problemsOfImports(reads) : problems(reads, operation.getRequestBody() != null))
                .forEach((status, description) -> responses.addApiResponse(status, problem(description)));
    }

    /* What clients of DCB stores expect, and not the resources of this API: no ETag, no position in a header. */
    private static void completeOfStore(boolean reads, Operation operation) {
        operation.addParametersItem(parameter(Headers.CORRELATION_ID, "Taken or made, and answered"));
        if (APPEND.equals(operation.getOperationId())) {
            operation.addParametersItem(parameter(Headers.IDEMPOTENCY_KEY, "Makes a repetition harmless"));
        }
        Map<String, String> problems = problems(true, !reads);
        if (!"event".equals(operation.getOperationId())) {
            problems.remove("404");
        }
        if (APPEND.equals(operation.getOperationId())) {
            problems.put("504", "The outcome is unknown");
        }
        problems.forEach(
                (status, description) -> operation.getResponses().addApiResponse(status, problem(description)));
    }

    /* An answer without an end rests on no position. */
    private static void completeLive(Operation operation) {
        operation.addParametersItem(parameter(Headers.CORRELATION_ID, "Taken or made, and answered"));
        Map<String, String> problems = problems(true, false);
        if ("events".equals(operation.getOperationId())) {
            problems.remove("404");
        }
        problems.forEach(
                (status, description) -> operation.getResponses().addApiResponse(status, problem(description)));
    }

    /* What is wrong with a file is told in the import's progress, which is kept beside the store. */
    private static Map<String, String> problemsOfImports(boolean reads) {
        Map<String, String> problems = new LinkedHashMap<>();
        if (reads) {
            problems.put("400", "Not the id of an import");
            problems.put("404", "Unknown, or forgotten");
        } else {
            problems.put("400", "Malformed Idempotency-Key");
            problems.put("408", SLOW_BODY);
            problems.put("413", "The file is too large");
            problems.put("415", "The file is neither CSV nor NDJSON");
            problems.put("422", "The Idempotency-Key was sent before with another file");
        }
        problems.put("429", TOO_MANY);
        problems.put("503", reads ? "Overloaded" : "Overloaded, or as many imports wait as may; nothing was changed");
        return problems;
    }

    private static Map<String, String> problems(boolean reads, boolean hasBody) {
        Map<String, String> problems = new LinkedHashMap<>();
        if (reads) {
            problems.put("404", "Unknown");
        } else {
            problems.put("404", "A course or student is unknown");
            problems.put("409", "The present state forbids it; the code says why");
        }
        if (hasBody) {
            problems.put("400", "Malformed JSON, or an unknown field");
            problems.put("408", SLOW_BODY);
            problems.put("413", "The body is too large");
            problems.put("415", "The body is not JSON");
        }
        problems.put("422", "A value is not allowed");
        problems.put("429", TOO_MANY);
        problems.put("503", "Overloaded, contended, or the database is unavailable; nothing was changed");
        if (!reads) {
            problems.put("504", "The outcome is unknown");
        }
        return problems;
    }

    private static ApiResponse problem(String description) {
        Schema<?> schema = new Schema<>().$ref("#/components/schemas/" + PROBLEM);
        return new ApiResponse()
                .description(description)
                .content(new Content().addMediaType("application/problem+json", new MediaType().schema(schema)));
    }

    private static Header header(String description) {
        return new Header().description(description).schema(new StringSchema());
    }

    private static HeaderParameter parameter(String name, String description) {
        HeaderParameter parameter = new HeaderParameter();
        parameter.name(name).description(description).required(false).schema(new StringSchema());
        return parameter;
    }
}
