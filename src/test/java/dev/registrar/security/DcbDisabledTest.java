package dev.registrar.security;

import dev.registrar.Api;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** With an issuer, the event store's own API is off unless enabled, and there are no operations for load tests. */
@ServiceTest
@Import(TestIssuer.Keys.class)
@DirtiesContext
@TestPropertySource(
        properties = {
            "spring.security.oauth2.resourceserver.jwt.issuer-uri=" + TestIssuer.URL,
            "spring.security.oauth2.resourceserver.jwt.audiences=" + TestIssuer.AUDIENCE,
            "registrar.load-test.enabled=true"
        })
class DcbDisabledTest {
    private static final String[][] CALLERS = {
        {}, TestIssuer.machine(Scope.values()), TestIssuer.person("all", Role.values())
    };

    private final Api api;

    DcbDisabledTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void the_stores_own_api_does_not_exist_for_any_caller() {
        for (String[] caller : CALLERS) {
            api.get("/dcb/head", caller).expectProblem(404, "not-found");
            api.get("/dcb", caller).expectProblem(404, "not-found");
            api.post("/dcb/append", "{}", caller).expectProblem(404, "not-found");
            api.post("/go-crablet/append", "{}", caller).expectProblem(404, "not-found");
            api.post("/go-crablet/cleanup", "{}", caller).expectProblem(404, "not-found");
        }
    }

    @Test
    void load_tests_are_refused_to_every_role_and_scope() {
        api.post("/load-test/clear", "").expectProblem(401, "unauthorized");
        api.post("/load-test/clear", "", TestIssuer.machine(Scope.values())).expectProblem(403, "forbidden");
        api.post("/load-test/clear", "", TestIssuer.person("all", Role.values()))
                .expectProblem(403, "forbidden");
    }
}
