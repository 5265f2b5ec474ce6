package dev.registrar.http;

import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.dcb.DcbController;
import dev.registrar.http.live.LiveController;
import dev.registrar.http.problem.Headers;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/** Completes the description of one operation with the headers and problems of all operations of its kind. */
record DescribedOperation(String path, HttpMethod method, Operation operation) {
    static final String PROBLEM = "Problem";

    private static final String PROBLEM_JSON = "application/problem+json";
    private static final String SLOW_BODY = "The body did not arrive in time";
    private static final String INVALID = "A value is invalid; the errors name it";
    private static final String OVERLOADED = "Overloaded, or the database is unavailable; nothing was changed";
    private static final String REPLACED = "The store has lost the history that the request rests on";
    private static final String UNKNOWN_OUTCOME = "It is unknown whether the change was stored";

    /** The kinds of operations that share headers and problems. */
    private enum Kind {
        /** A command to the course office. */
        WRITE,
        /** A look-up that is answered from a view or from the store. */
        LOOK_UP,
        IMPORT,
        IMPORT_STATE,
        LIVE,
        STORE,
        OPERATOR
    }

    private Kind kind() {
        boolean reads = method == HttpMethod.GET;
        return switch (operation.getTags().getFirst()) {
            case ImportController.TAG -> reads ? Kind.IMPORT_STATE : Kind.IMPORT;
            case LiveController.TAG -> Kind.LIVE;
            case DcbController.TAG -> Kind.STORE;
            case ProjectionController.TAG -> Kind.OPERATOR;
            default -> reads ? Kind.LOOK_UP : Kind.WRITE;
        };
    }

    void complete() {
        Kind kind = kind();
        addParameters(kind);
        addHeaders(kind);
        Map<String, String> problems = problems(kind);
        problems.forEach((status, description) -> responses().addApiResponse(status, problem(description)));
        if (kind == Kind.LOOK_UP && hasEntityTag()) {
            responses().addApiResponse("304", new ApiResponse().description("Nothing has changed"));
        }
        ApiResponses inOrder = new ApiResponses();
        new TreeMap<>(responses()).forEach(inOrder::addApiResponse);
        operation.setResponses(inOrder);
    }

    private ApiResponses responses() {
        return operation.getResponses();
    }

    private boolean hasBody() {
        return operation.getRequestBody() != null;
    }

    /* The seats are counted for each request. */
    private boolean hasEntityTag() {
        return !path.equals("/api/seats");
    }

    private boolean answersWithBasis(Kind kind) {
        return kind == Kind.LIVE || readsEvents() || path.equals(DcbController.PATH + "/head");
    }

    private boolean readsEvents() {
        return path.equals(DcbController.PATH + "/read");
    }

    private boolean takesKey(Kind kind) {
        return kind == Kind.WRITE || kind == Kind.IMPORT || path.equals(DcbController.PATH + "/append");
    }

    private void addParameters(Kind kind) {
        operation.addParametersItem(header(
                Headers.CORRELATION_ID,
                "Returned and stored with the events; replaced if it is not 1 to 128 visible ASCII characters",
                new StringSchema()));
        if (takesKey(kind)) {
            operation.addParametersItem(header(
                    Headers.IDEMPOTENCY_KEY,
                    "Executes repeated requests once",
                    new StringSchema().pattern(IdempotencyKeyHeader.PATTERN)));
        }
        if (kind == Kind.LOOK_UP) {
            operation.addParametersItem(header(
                    Headers.AFTER,
                    "The position that the views must have reached before they answer",
                    new IntegerSchema()
                            .format("int64")
                            .minimum(BigDecimal.ZERO)
                            .maximum(BigDecimal.TEN.pow(Views.MAX_DIGITS).subtract(BigDecimal.ONE))));
            if (hasEntityTag()) {
                operation.addParametersItem(header(
                        "If-None-Match", "An entity tag: the response is 304 if it still matches", new StringSchema()));
            }
        }
    }

    private void addHeaders(Kind kind) {
        responses().forEach((status, success) -> {
            if (kind == Kind.WRITE) {
                success.addHeaderObject(Headers.POSITION, header("The position of the write's last event"));
            } else if (kind == Kind.LOOK_UP) {
                success.addHeaderObject(
                        Headers.POSITION, header("The views of the response contain every event up to this position"));
                if (hasEntityTag()) {
                    success.addHeaderObject("ETag", header("Changes with the content of the response"));
                }
            }
            if (answersWithBasis(kind)) {
                success.addHeaderObject(Headers.BASIS, header("The head of the read, to send back as the basis"));
            }
            if (status.equals("201") || status.equals("202")) {
                success.addHeaderObject("Location", header("The path of the created resource"));
            }
        });
    }

    private Map<String, String> problems(Kind kind) {
        Map<String, String> problems = new TreeMap<>();
        problems.put("400", hasBody() ? "Malformed JSON, an unknown field or query string" : "Malformed query string");
        problems.put("406", "No accepted media type is available");
        problems.put("422", INVALID);
        problems.put("429", "This client sends too many requests");
        problems.put("503", OVERLOADED);
        if (hasBody()) {
            problems.put("408", SLOW_BODY);
            problems.put("413", "The body is too large");
            problems.put("415", "The body is not JSON");
        }
        if (path.contains("{") || (kind == Kind.WRITE && path.equals("/api/commands"))) {
            problems.put("404", "Unknown");
        }
        if (takesKey(kind)) {
            problems.merge("400", "a malformed Idempotency-Key", "%s, or %s"::formatted);
        }
        switch (kind) {
            case WRITE -> {
                problems.put("409", "The current state does not permit the request; the code gives the reason");
                problems.put("503", "Overloaded, contended, or the database is unavailable; nothing was changed");
                problems.put("504", UNKNOWN_OUTCOME);
            }
            case LOOK_UP -> problems.put("503", "Overloaded, the view is behind, or the database is unavailable");
            case IMPORT -> {
                problems.put("400", "Malformed query string or Idempotency-Key");
                problems.put("413", "The file is too large");
                problems.put("415", "The file is neither CSV nor NDJSON");
                problems.put("422", "The Idempotency-Key was sent before with another file");
                problems.put("503", "Overloaded, or too many imports wait; nothing was changed");
            }
            case LIVE -> {
                problems.put("409", REPLACED);
                problems.put("503", "Overloaded, too many listeners, or the database is unavailable");
            }
            case STORE -> {
                if (hasBody() || readsEvents()) {
                    problems.put("409", REPLACED);
                }
                if (takesKey(kind)) {
                    problems.put("504", UNKNOWN_OUTCOME);
                }
            }
            case OPERATOR -> {
                if (path.endsWith("/rebuild") || path.endsWith("/reset")) {
                    problems.put("404", "Unknown");
                    problems.put("409", "An automation cannot be rebuilt");
                }
                if (path.endsWith("/skip")) {
                    problems.put("409", "The projection has not stopped at this event");
                }
            }
            case IMPORT_STATE -> {
                // This kind has only the problems of all operations.
            }
        }
        return problems;
    }

    private static ApiResponse problem(String description) {
        Schema<?> schema = new Schema<>().$ref("#/components/schemas/" + PROBLEM);
        return new ApiResponse()
                .description(description)
                .content(new Content().addMediaType(PROBLEM_JSON, new MediaType().schema(schema)));
    }

    private static Header header(String description) {
        return new Header().description(description).schema(new StringSchema());
    }

    private static Parameter header(String name, String description, Schema<?> schema) {
        return new HeaderParameter()
                .name(name)
                .description(description)
                .required(false)
                .schema(schema);
    }
}
