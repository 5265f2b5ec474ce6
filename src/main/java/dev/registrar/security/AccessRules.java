package dev.registrar.security;

import static dev.registrar.security.Role.AUDITOR;
import static dev.registrar.security.Role.COURSE_OFFICE;
import static dev.registrar.security.Role.OPERATOR;
import static dev.registrar.security.Role.STUDENT;
import static org.springframework.http.HttpMethod.DELETE;
import static org.springframework.http.HttpMethod.GET;
import static org.springframework.http.HttpMethod.HEAD;
import static org.springframework.http.HttpMethod.POST;
import static org.springframework.http.HttpMethod.PUT;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;

/**
 * Which authorities may send which requests. What is not listed is denied. Where a student may send a request, further
 * rules at the operation restrict it to their own data.
 */
final class AccessRules {
    private static final List<String> EVERY = Stream.concat(
                    Arrays.stream(Role.values()).map(Role::authority),
                    Arrays.stream(Scope.values()).map(Scope::authority))
            .toList();

    static final List<AccessRule> API = List.of(
            // The catalogue
            read("/api/courses", STUDENT, COURSE_OFFICE),
            read("/api/courses/{course}", STUDENT, COURSE_OFFICE),
            read("/api/seats", STUDENT, COURSE_OFFICE),
            // A student's own enrollments and places
            read("/api/courses/{course}/students/{student}", STUDENT, COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/students/{student}", STUDENT, COURSE_OFFICE),
            write(DELETE, "/api/courses/{course}/students/{student}", STUDENT, COURSE_OFFICE),
            read("/api/courses/{course}/waiting-list/{student}", STUDENT, COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/waiting-list/{student}", STUDENT, COURSE_OFFICE),
            write(DELETE, "/api/courses/{course}/waiting-list/{student}", STUDENT, COURSE_OFFICE),
            read("/api/students/{student}", STUDENT, COURSE_OFFICE),
            read("/api/students/{student}/courses", STUDENT, COURSE_OFFICE),
            read("/api/students/{student}/waiting-lists", STUDENT, COURSE_OFFICE),
            // The course office
            write(POST, "/api/courses", COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/title", COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/capacity", COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/window", COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/prerequisites", COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/times", COURSE_OFFICE),
            write(POST, "/api/courses/{course}/close", COURSE_OFFICE),
            read("/api/courses/{course}/students", COURSE_OFFICE),
            read("/api/courses/{course}/clashes", COURSE_OFFICE),
            write(PUT, "/api/courses/{course}/students/{student}/override", COURSE_OFFICE),
            read("/api/courses/{course}/waiting-list", COURSE_OFFICE),
            write(POST, "/api/courses/import", COURSE_OFFICE),
            read("/api/imports/{import}", COURSE_OFFICE),
            read("/api/students", COURSE_OFFICE),
            write(POST, "/api/students", COURSE_OFFICE),
            write(PUT, "/api/students/{student}/name", COURSE_OFFICE),
            write(PUT, "/api/students/{student}/email", COURSE_OFFICE),
            write(PUT, "/api/students/{student}/tier", COURSE_OFFICE),
            read("/api/students/{student}/personal-data", COURSE_OFFICE),
            write(DELETE, "/api/students/{student}/personal-data", COURSE_OFFICE),
            write(POST, "/api/commands", COURSE_OFFICE),
            read("/api/commands", COURSE_OFFICE, AUDITOR),
            // Without personal data, as the log is
            read("/api/refusals", COURSE_OFFICE, AUDITOR, OPERATOR),
            // Payloads and tags
            read("/api/courses/{course}/events", AUDITOR),
            // Projections
            read("/api/admin/projections", OPERATOR),
            read("/api/admin/projections/{name}", OPERATOR),
            read("/api/admin/projections/{name}/dead-letters", OPERATOR),
            write(POST, "/api/admin/projections/rebuild", OPERATOR),
            write(POST, "/api/admin/projections/{name}/{operation}", OPERATOR),
            // Tags for stored events
            write(POST, "/api/admin/tags", OPERATOR));

    static final List<AccessRule> STORE = List.of(
            appends("/dcb/append"),
            reads("/dcb/read", GET, HEAD, POST),
            reads("/dcb/project", POST),
            reads("/dcb/head", GET, HEAD),
            reads("/dcb/events", GET, HEAD),
            reads("/dcb/events/{position}", GET, HEAD),
            appends("/go-crablet/append"),
            reads("/go-crablet/read", POST),
            reads("/go-crablet/project", POST),
            reads("/go-crablet/health", GET, HEAD));

    /** For everybody who has a role or a scope of this service. */
    static final List<AccessRule> DESCRIPTION = Stream.of(
                    "/v3/api-docs", "/v3/api-docs.yaml", "/swagger-ui.html", "/swagger-ui/**")
            .map(pattern -> new AccessRule(List.of(GET, HEAD), pattern, EVERY))
            .toList();

    /** The web console. */
    static final List<AccessRule> CONSOLE = List.of(
            // Live parts
            read("/console/live/seats", STUDENT, COURSE_OFFICE),
            // The rush, which exists in the mode local only
            write(POST, "/console/rush", STUDENT, COURSE_OFFICE, OPERATOR, AUDITOR),
            read("/console/rush/{rush}", STUDENT, COURSE_OFFICE, OPERATOR, AUDITOR),
            // A student
            read("/console/courses", STUDENT),
            read("/console/courses/{course}", STUDENT),
            read("/console/my", STUDENT),
            write(POST, "/console/courses/{course}/enroll", STUDENT),
            write(POST, "/console/courses/{course}/swap", STUDENT),
            read("/console/courses/{course}/drop", STUDENT),
            write(POST, "/console/courses/{course}/drop", STUDENT),
            write(POST, "/console/courses/{course}/wait", STUDENT),
            write(POST, "/console/courses/{course}/leave", STUDENT),
            // The course office
            read("/console/office", COURSE_OFFICE),
            read("/console/office/courses", COURSE_OFFICE),
            read("/console/office/define", COURSE_OFFICE),
            write(POST, "/console/office/define", COURSE_OFFICE),
            read("/console/office/courses/{course}", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/title", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/capacity", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/window", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/prerequisites", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/times", COURSE_OFFICE),
            read("/console/office/courses/{course}/clashes", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/students", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/override", COURSE_OFFICE),
            read("/console/office/courses/{course}/students/{student}/drop", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/students/{student}/drop", COURSE_OFFICE),
            read("/console/office/courses/{course}/close", COURSE_OFFICE),
            write(POST, "/console/office/courses/{course}/close", COURSE_OFFICE),
            read("/console/office/courses/{course}/history", COURSE_OFFICE),
            read("/console/office/students", COURSE_OFFICE),
            read("/console/office/register", COURSE_OFFICE),
            write(POST, "/console/office/register", COURSE_OFFICE),
            read("/console/office/students/{student}", COURSE_OFFICE),
            write(POST, "/console/office/students/{student}/courses", COURSE_OFFICE),
            write(POST, "/console/office/students/{student}/swap", COURSE_OFFICE),
            write(POST, "/console/office/students/{student}/waiting-lists/{course}/leave", COURSE_OFFICE),
            write(POST, "/console/office/students/{student}/name", COURSE_OFFICE),
            write(POST, "/console/office/students/{student}/email", COURSE_OFFICE),
            write(POST, "/console/office/students/{student}/tier", COURSE_OFFICE),
            read("/console/office/students/{student}/erase", COURSE_OFFICE),
            write(POST, "/console/office/students/{student}/erase", COURSE_OFFICE),
            read("/console/office/import", COURSE_OFFICE),
            write(POST, "/console/office/import", COURSE_OFFICE),
            read("/console/office/import/{import}", COURSE_OFFICE),
            // Refused commands, as in the API
            read("/console/refusals", COURSE_OFFICE, AUDITOR, OPERATOR),
            // Operations
            read("/console/projections", OPERATOR),
            read("/console/projections/{name}", OPERATOR),
            read("/console/projections/{name}/{operation}/confirm", OPERATOR),
            write(POST, "/console/projections/{name}/{operation}", OPERATOR),
            read("/console/store", OPERATOR),
            read("/console/contention", OPERATOR),
            // Events and conditions
            read("/console/events", AUDITOR, OPERATOR),
            read("/console/events/live", AUDITOR, OPERATOR),
            read("/console/events/types", AUDITOR, OPERATOR),
            read("/console/events/tags", AUDITOR),
            read("/console/events/correlation", AUDITOR),
            read("/console/events/{position}", AUDITOR, OPERATOR),
            read("/console/events/{position}/payload", AUDITOR),
            read("/console/events/{position}/cause", AUDITOR),
            read("/console/lab", AUDITOR),
            write(POST, "/console/lab", AUDITOR));

    /** What every visitor of the console may do, logged in or not. */
    static final List<AccessRule> CONSOLE_OPEN = List.of(
            read("/"),
            read("/console/login"),
            read("/console/assets/**"),
            read("/webjars/htmx.org/**"),
            read("/webjars/htmx-ext-sse/**"));

    private AccessRules() {}

    private static AccessRule read(String pattern, Role... roles) {
        return new AccessRule(List.of(GET, HEAD), pattern, authorities(roles));
    }

    private static AccessRule write(HttpMethod method, String pattern, Role... roles) {
        return new AccessRule(List.of(method), pattern, authorities(roles));
    }

    private static List<String> authorities(Role... roles) {
        return Arrays.stream(roles).map(Role::authority).toList();
    }

    private static AccessRule reads(String pattern, HttpMethod... methods) {
        return new AccessRule(List.of(methods), pattern, List.of(Scope.READ.authority(), AUDITOR.authority()));
    }

    private static AccessRule appends(String pattern) {
        return new AccessRule(List.of(POST), pattern, List.of(Scope.APPEND.authority()));
    }
}
