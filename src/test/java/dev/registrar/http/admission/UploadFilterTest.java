package dev.registrar.http.admission;

import static dev.registrar.http.failure.WrittenProblems.detail;
import static dev.registrar.http.failure.WrittenProblems.expectProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.admission.HttpSettings.AdmissionSettings;
import dev.registrar.http.failure.WrittenProblems;
import dev.registrar.imports.ImportSettings;
import dev.registrar.security.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import jakarta.servlet.http.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletMapping;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockPart;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.multipart.MultipartHttpServletRequest;
import org.springframework.web.util.WebUtils;

/** Who may send the one multipart form of the service, to which path, and how many at a time. */
class UploadFilterTest {
    private static final String TYPE = "multipart/form-data; boundary=X";

    private final UploadFilter filter = filter();
    private final List<HttpServletRequest> behind = new ArrayList<>();

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

    private static UploadFilter filter() {
        HttpSettings settings = new HttpSettings(
                DataSize.ofKilobytes(64),
                DataSize.ofMegabytes(1),
                new AdmissionSettings(10, Duration.ofHours(1), 0, 0, 100),
                Duration.ofSeconds(3),
                Duration.ZERO);
        ImportSettings imports = new ImportSettings(100, DataSize.ofBytes(100), 0, 4, Duration.ofMinutes(1), 100, 100);
        return new UploadFilter(
                new BoundedBody.Limits(settings, imports, new RejectedRequests(new SimpleMeterRegistry())),
                new EarlyRefusals(WrittenProblems.resolver(settings)),
                imports);
    }

    @Test
    void an_upload_of_the_course_office_is_read() {
        send(upload());

        assertThat(multipart(behind.getFirst()))
                .isNotNull()
                .satisfies(form -> assertThat(form.getFile("file")).isNotNull());
    }

    @ParameterizedTest
    @CsvSource({
        "dispatcherServlet, multipart/form-data; boundary=X",
        "uploads, multipart/mixed; boundary=X",
        "uploads, text/csv"
    })
    void no_other_request_is_read(String servlet, String type) {
        MockHttpServletRequest request = upload();
        request.setHttpServletMapping(ofServlet(servlet));
        request.setContentType(type);

        send(request);

        assertThat(multipart(behind.getFirst())).isNull();
    }

    @ParameterizedTest
    @EnumSource(value = Role.class, mode = EnumSource.Mode.EXCLUDE, names = "COURSE_OFFICE")
    void other_roles_are_refused_unread(Role role) {
        callAs(role);

        MockHttpServletResponse refused = send(unreadable());

        assertThat(refused.getStatus()).isEqualTo(403);
        assertThat(behind).isEmpty();
    }

    @Test
    void callers_who_are_not_known_are_refused_unread() {
        SecurityContextHolder.clearContext();

        MockHttpServletResponse refused = send(unreadable());

        expectProblem(refused, 403, "forbidden");
        assertThat(refused.getHeader("Connection")).isEqualTo("close");
        assertThat(behind).isEmpty();
    }

    @Test
    void a_file_beyond_the_places_is_refused_unread() {
        List<MockHttpServletResponse> inside = new ArrayList<>();

        send(upload(), (request, response) -> inside.add(send(unreadable())));
        send(upload());

        expectProblem(inside.getFirst(), 503, "service-unavailable");
        assertThat(detail(inside.getFirst())).startsWith("Nothing was imported. Other files are arriving");
        assertThat(behind).as("the place is given back").hasSize(1);
    }

    private MockHttpServletResponse send(MockHttpServletRequest request) {
        return send(request, (passed, response) -> behind.add((HttpServletRequest) passed));
    }

    private MockHttpServletResponse send(MockHttpServletRequest request, FilterChain chain) {
        MockHttpServletResponse response = new MockHttpServletResponse();
        try {
            filter.doFilter(request, response, chain);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
        return response;
    }

    private static @Nullable MultipartHttpServletRequest multipart(HttpServletRequest request) {
        return WebUtils.getNativeRequest(request, MultipartHttpServletRequest.class);
    }

    private static MockHttpServletMapping ofServlet(String name) {
        return new MockHttpServletMapping("", Paths.CONSOLE_IMPORT, name, MappingMatch.EXACT);
    }

    private static MockHttpServletRequest upload() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", Paths.CONSOLE_IMPORT);
        request.setHttpServletMapping(ofServlet("uploads"));
        request.setContentType(TYPE);
        request.setContent(new byte[] {1});
        request.addPart(new MockPart("file", "courses.csv", new byte[] {1}));
        return request;
    }

    private static MockHttpServletRequest unreadable() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", Paths.CONSOLE_IMPORT) {
            @Override
            public Collection<Part> getParts() {
                throw new AssertionError("The form was read");
            }
        };
        request.setHttpServletMapping(ofServlet("uploads"));
        request.setContentType(TYPE);
        request.setContent(new byte[] {1});
        return request;
    }
}
