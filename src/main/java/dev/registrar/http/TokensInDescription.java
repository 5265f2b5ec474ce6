package dev.registrar.http;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the description of the API says in addition when every request needs an access token. */
final class TokensInDescription {
    private static final String SCHEME = "token";
    private static final String STORE = "/dcb/";

    private TokensInDescription() {}

    /**
     * Adds the security scheme, and the responses to requests that are refused for their token to each operation.
     *
     * @param storeEnabled whether the service has the operations of the event store; otherwise they are left out
     */
    static void add(ObjectNode description, boolean storeEnabled) {
        description
                .withObject("/components/securitySchemes/" + SCHEME)
                .put("type", "http")
                .put("scheme", "bearer")
                .put("bearerFormat", "JWT");
        description.withArray("/security").addObject().putArray(SCHEME);
        ObjectNode paths = description.withObject("/paths");
        if (!storeEnabled) {
            paths.remove(paths.propertyNames().stream()
                    .filter(path -> path.startsWith(STORE))
                    .toList());
        }
        for (JsonNode operations : paths) {
            for (JsonNode operation : operations) {
                ObjectNode responses = ((ObjectNode) operation).withObject("/responses");
                addProblem(responses, "401", "There is no access token, or it is not valid");
                addProblem(responses, "403", "The roles and scopes of the token do not allow the request");
            }
        }
    }

    private static void addProblem(ObjectNode responses, String status, String meaning) {
        ObjectNode response = responses.putObject(status);
        response.put("description", meaning);
        response.putObject("content")
                .putObject("application/problem+json")
                .putObject("schema")
                .put("$ref", "#/components/schemas/Problem");
    }
}
