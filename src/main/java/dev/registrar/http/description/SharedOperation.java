package dev.registrar.http.description;

import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.problem.Headers;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Adds to one operation the headers and problems of all operations of its kind. */
final class SharedOperation {
    private static final BigDecimal MAX_POSITION = BigDecimal.TEN.pow(18).subtract(BigDecimal.ONE);

    /** The kinds of operations that share headers and problems. */
    private enum Kind {
        /** A command to the course office. */
        COMMAND,
        /** A look-up in a view. */
        LOOK_UP,
        IMPORT,
        LIVE,
        STORE,
        /** A report, or an operation of operators. */
        OTHER;

        static Kind of(String path, HttpMethod method) {
            if (path.endsWith("/events")) {
                return LIVE;
            }
            if (path.startsWith(Paths.DCB + "/")) {
                return STORE;
            }
            if (path.startsWith("/api/admin/") || path.startsWith("/api/imports/") || path.equals("/api/refusals")) {
                return OTHER;
            }
            if (path.equals(Paths.IMPORTS)) {
                return IMPORT;
            }
            return method == HttpMethod.GET ? LOOK_UP : COMMAND;
        }
    }

    private final String path;
    private final HttpMethod method;
    private final Operation operation;
    private final Kind kind;

    SharedOperation(String path, HttpMethod method, Operation operation) {
        this.path = path;
        this.method = method;
        this.operation = operation;
        this.kind = Kind.of(path, method);
    }

    /**
     * Completes the operation.
     *
     * @param withLogin whether it is refused without a token or password
     */
    void complete(boolean withLogin) {
        if (operation.getParameters() != null) {
            operation.getParameters().stream()
                    .filter(parameter -> parameter.getSchema() != null)
                    .forEach(parameter -> RecordSchemas.anchor(parameter.getSchema()));
        }
        addParameters();
        ApiResponses responses = operation.getResponses();
        ApiResponse list = responses.get("200");
        if (list != null && isFile()) {
            list.getContent().addMediaType("text/csv", new MediaType().schema(new StringSchema()));
        }
        responses.forEach(this::addHeaders);
        if (hasEntityTag()) {
            responses.addApiResponse("304", new ApiResponse().description("Nothing has changed"));
        }
        if (answersWithView()) {
            responses.addApiResponse(
                    "204",
                    new ApiResponse()
                            .description("Done; the view does not show it in time, or does not show it any more"));
        }
        for (DescribedProblem problem : problems(withLogin)) {
            responses.addApiResponse(problem.status, new ApiResponse().$ref("#/components/responses/" + problem.key()));
        }
        ApiResponses inOrder = new ApiResponses();
        new TreeMap<>(responses).forEach(inOrder::addApiResponse);
        operation.setResponses(inOrder);
    }

    /* A path and a method have one operation here, but a controller of their own for the file. */
    private boolean isFile() {
        return method == HttpMethod.GET
                && (path.equals("/api/courses") || path.equals("/api/courses/{courseId}/students"));
    }

    /* The seats are counted for each request. */
    private boolean hasEntityTag() {
        return kind == Kind.LOOK_UP && !path.equals("/api/seats");
    }

    /* A change of a course or a student, and a repeated enrollment or place. */
    private boolean answersWithView() {
        return kind == Kind.COMMAND
                && !path.equals("/api/commands")
                && operation.getResponses().containsKey("200");
    }

    private boolean takesKey() {
        return kind == Kind.COMMAND || kind == Kind.IMPORT || path.equals(Paths.DCB + "/append");
    }

    private boolean readsEvents() {
        return path.equals(Paths.DCB + "/read");
    }

    private void addParameters() {
        addParameter(
                Headers.CORRELATION_ID,
                "Returned and stored with the events; replaced if it is not 1 to 128 visible ASCII characters",
                new StringSchema());
        if (takesKey()) {
            addParameter(
                    Headers.IDEMPOTENCY_KEY,
                    "Executes repeated requests once",
                    new StringSchema().pattern("^(?:%s)$".formatted(IdempotencyKeyHeader.PATTERN)));
        }
        if (kind == Kind.LOOK_UP) {
            addParameter(
                    Headers.AFTER,
                    "The position that the views must have reached before they answer",
                    new IntegerSchema().format("int64").minimum(BigDecimal.ZERO).maximum(MAX_POSITION));
        }
        if (hasEntityTag()) {
            addParameter("If-None-Match", "An entity tag: the response is 304 if it still matches", new StringSchema());
        }
    }

    private void addParameter(String name, String description, Schema<?> schema) {
        operation.addParametersItem(new HeaderParameter()
                .name(name)
                .description(description)
                .required(false)
                .schema(schema));
    }

    private void addHeaders(String status, ApiResponse success) {
        if (kind == Kind.COMMAND) {
            addHeader(
                    success,
                    Headers.POSITION,
                    "The position of the write's last event; if nothing had to change, of the head");
        } else if (kind == Kind.LOOK_UP) {
            addHeader(success, Headers.POSITION, "The views of the response contain every event up to this position");
        }
        if (hasEntityTag()) {
            addHeader(success, "ETag", "Changes with the content of the response");
        }
        if (kind == Kind.LIVE || readsEvents() || path.equals(Paths.DCB + "/head")) {
            addHeader(success, Headers.BASIS, "The head of the read, to send back as the basis");
        }
        if (status.equals("201") || status.equals("202")) {
            addHeader(success, "Location", "The path of the created resource");
        }
    }

    private static void addHeader(ApiResponse response, String name, String description) {
        response.addHeaderObject(name, new Header().description(description).schema(new StringSchema()));
    }

    private Set<DescribedProblem> problems(boolean withLogin) {
        boolean hasBody = operation.getRequestBody() != null;
        Set<DescribedProblem> problems = EnumSet.of(
                DescribedProblem.MALFORMED,
                DescribedProblem.NOT_ACCEPTABLE,
                DescribedProblem.INVALID,
                DescribedProblem.TOO_MANY,
                DescribedProblem.OVERLOADED);
        add(problems, withLogin, DescribedProblem.UNAUTHORIZED, DescribedProblem.FORBIDDEN);
        add(
                problems,
                hasBody,
                DescribedProblem.BODY_TOO_SLOW,
                DescribedProblem.BODY_TOO_LARGE,
                DescribedProblem.BODY_OF_OTHER_TYPE);
        add(
                problems,
                path.contains("{")
                        || path.endsWith("/rebuild")
                        || path.equals("/api/refusals")
                        || (kind == Kind.COMMAND && path.equals("/api/commands")),
                DescribedProblem.UNKNOWN);
        add(problems, isRefused(), DescribedProblem.REFUSED);
        add(problems, kind == Kind.COMMAND && path.endsWith("/personal-data"), DescribedProblem.ERASURE_DISABLED);
        boolean addsTags = path.equals("/api/admin/tags");
        add(problems, addsTags, DescribedProblem.RETAGGING_DISABLED);
        add(
                problems,
                kind == Kind.COMMAND || addsTags || path.equals(Paths.DCB + "/append"),
                DescribedProblem.OUTCOME_UNKNOWN);
        add(
                problems,
                kind == Kind.LIVE || readsEvents() || (kind == Kind.STORE && hasBody),
                DescribedProblem.HISTORY_LOST);
        add(problems, path.endsWith("/rebuild") || path.endsWith("/reset"), DescribedProblem.NOT_REBUILDABLE);
        add(problems, path.endsWith("/skip"), DescribedProblem.NOT_SKIPPABLE);
        add(problems, path.endsWith("/retry") || path.endsWith("/retry-all"), DescribedProblem.NOT_RETRYABLE);
        return problems;
    }

    /* What is deleted may be absent, and every title, name or tier fits, as do all times. */
    private boolean isRefused() {
        return kind == Kind.COMMAND
                && method != HttpMethod.DELETE
                && Stream.of("/title", "/times", "/name", "/tier").noneMatch(path::endsWith);
    }

    private static void add(Set<DescribedProblem> problems, boolean applies, DescribedProblem... added) {
        if (applies) {
            problems.addAll(List.of(added));
        }
    }
}
