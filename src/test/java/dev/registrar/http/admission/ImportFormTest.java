package dev.registrar.http.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.concurrent.Deadline;
import dev.registrar.http.admission.ImportForm.Fault;
import dev.registrar.imports.ImportSettings;
import dev.registrar.security.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.unit.DataSize;

/** The one multipart form of the service: who may send it, to which path, how large, and how many at a time. */
class ImportFormTest {
    private static final int FILE = 100;
    private static final String TYPE = "multipart/form-data; boundary=X";

    private final ImportSettings settings =
            new ImportSettings(100, DataSize.ofBytes(FILE), 0, 4, Duration.ofMinutes(1), 100, 100);
    private final ImportFormFilter filter =
            new ImportFormFilter(new ImportFiles(settings, new RejectedRequests(new SimpleMeterRegistry())));

    /** What a request was seen as behind the filter. */
    private record Seen(Optional<ImportForm> form, String token, String file, Optional<Fault> fault) {}

    @BeforeEach
    void of_the_course_office() {
        callAs(Role.COURSE_OFFICE);
    }

    @AfterEach
    void forget_the_caller() {
        SecurityContextHolder.clearContext();
    }

    private static void callAs(Role role) {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("someone", "", role.authority()));
    }

    @Test
    void the_parts_become_parameters_and_the_file() throws Exception {
        Seen seen = send(form(field("_csrf", "token"), file("courses.csv", "id,title")));

        assertThat(seen.token()).isEqualTo("token");
        assertThat(seen.file()).isEqualTo("id,title");
        assertThat(seen.fault()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"100, 0, false", "101, 0, true", "60, 40, false", "60, 41, true"})
    void files_together_have_a_limit(int first, int second, boolean tooLarge) throws Exception {
        Seen seen = send(
                form(field("_csrf", "token"), file("a.csv", "x".repeat(first)), file("b.csv", "y".repeat(second))));

        assertThat(seen.fault()).isEqualTo(tooLarge ? Optional.of(Fault.TOO_LARGE) : Optional.empty());
        assertThat(seen.token()).isEqualTo("token");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/courses/import, multipart/form-data; boundary=X",
        "POST, /console/office/import/x, multipart/form-data; boundary=X",
        "POST, /console/office/courses, multipart/form-data; boundary=X",
        "PUT, /console/office/import, multipart/form-data; boundary=X",
        "POST, /console/office/import, multipart/mixed; boundary=X",
        "POST, /console/office/import, text/csv"
    })
    void no_other_request_is_parsed(String method, String path, String type) throws Exception {
        MockHttpServletRequest request = request(form(field("_csrf", "token")), type);
        request.setMethod(method);
        request.setRequestURI(path);

        assertThat(send(request).form()).isEmpty();
        assertThat(request.getInputStream().available()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(value = Role.class, mode = EnumSource.Mode.EXCLUDE, names = "COURSE_OFFICE")
    void other_roles_get_no_parameters(Role role) throws Exception {
        callAs(role);

        Seen seen = send(form(field("_csrf", "token"), file("a.csv", "id,title")));

        assertThat(seen.token()).isEqualTo("none");
        assertThat(seen.file()).isEmpty();
    }

    @Test
    void callers_who_are_not_known_get_no_parameters() throws Exception {
        SecurityContextHolder.clearContext();

        assertThat(send(form(field("_csrf", "token"))).token()).isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--X\r\n", "--X\r\nContent-Disposition: form-data; name=\"_csrf\"\r\n\r\ntoken"})
    void a_form_that_breaks_off_is_malformed(String body) throws Exception {
        assertThat(send(body).fault()).contains(Fault.MALFORMED);
    }

    @Test
    void a_form_without_a_boundary_is_malformed() throws Exception {
        assertThat(send(request(form(field("_csrf", "token")), "multipart/form-data"))
                        .fault())
                .contains(Fault.MALFORMED);
    }

    @Test
    void a_form_of_many_parts_is_malformed() throws Exception {
        String[] parts = new String[9];
        for (int part = 0; part < parts.length; part++) {
            parts[part] = field("field" + part, "value");
        }

        assertThat(send(form(parts)).fault()).contains(Fault.MALFORMED);
    }

    @Test
    void a_long_header_or_field_is_not_kept() throws Exception {
        assertThat(send(form(field("x".repeat(2_000), "value"))).fault()).contains(Fault.MALFORMED);
        assertThat(send(form(field("field", "x".repeat(5_000)))).fault()).contains(Fault.TOO_LARGE);
    }

    @Test
    void a_form_after_the_deadline_is_too_slow() throws Exception {
        List<Seen> seen = new ArrayList<>();

        Deadline.<Exception, Exception>runWithin(
                Duration.ZERO, () -> seen.add(send(form(field("_csrf", "token"), file("a.csv", "id")))));

        assertThat(seen.getFirst().fault()).contains(Fault.TOO_SLOW);
    }

    @Test
    void a_file_beyond_the_places_is_refused_with_its_token_known() throws Exception {
        List<Seen> inside = new ArrayList<>();
        MockHttpServletRequest outer = request(form(field("_csrf", "outer"), file("a.csv", "id")), TYPE);
        FilterChain chain = (request, response) -> {
            ImportForm.of((HttpServletRequest) request).orElseThrow().file();
            inside.add(unchecked(form(field("_csrf", "inner"), file("b.csv", "id"))));
        };

        filter.doFilter(outer, new MockHttpServletResponse(), chain);
        Seen later = send(form(field("_csrf", "later"), file("c.csv", "id")));

        assertThat(inside.getFirst().fault()).contains(Fault.TOO_MANY_AT_A_TIME);
        assertThat(inside.getFirst().token()).isEqualTo("inner");
        assertThat(inside.getFirst().file()).isEmpty();
        assertThat(later.fault()).isEmpty();
    }

    private Seen unchecked(String body) {
        try {
            return send(body);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private Seen send(String body) throws Exception {
        return send(request(body, TYPE));
    }

    private Seen send(MockHttpServletRequest request) throws Exception {
        List<Seen> seen = new ArrayList<>();
        filter.doFilter(request, new MockHttpServletResponse(), (behind, response) -> {
            Optional<ImportForm> form = ImportForm.of((HttpServletRequest) behind);
            String token = behind.getParameter("_csrf");
            seen.add(new Seen(
                    form,
                    token == null ? "none" : token,
                    form.map(of -> new String(of.file(), StandardCharsets.UTF_8))
                            .orElse(""),
                    form.flatMap(ImportForm::fault)));
        });
        return seen.getFirst();
    }

    private static MockHttpServletRequest request(String body, String type) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", Paths.CONSOLE_IMPORT);
        request.setContent(body.getBytes(StandardCharsets.UTF_8));
        request.setContentType(type);
        return request;
    }

    private static String form(String... parts) {
        return String.join("", parts) + "--X--\r\n";
    }

    private static String field(String name, String value) {
        return "--X\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(name, value);
    }

    private static String file(String name, String content) {
        return "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: text/csv\r\n\r\n%s\r\n"
                .formatted(name, content);
    }
}
