package dev.registrar.http.admission;

import static dev.registrar.http.failure.WrittenProblems.detail;
import static dev.registrar.http.failure.WrittenProblems.expectProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.admission.HttpSettings.AdmissionSettings;
import dev.registrar.http.failure.WrittenProblems;
import dev.registrar.http.problem.TooManyRequestsException;
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.PayloadReadLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.HttpMediaTypeNotSupportedException;

/** The rate of the requests of each caller. */
class ClientRateTest {
    /** More than the limit of a second even on a slow machine. */
    private static final int MANY = 10_000;

    private static final HttpSettings SETTINGS = new HttpSettings(
            DataSize.ofKilobytes(64),
            DataSize.ofMegabytes(1),
            new AdmissionSettings(MANY, Duration.ofHours(1), 0, 3, 1_000),
            Duration.ofSeconds(3),
            Duration.ZERO);

    private final EdgeInterceptor interceptor = new EdgeInterceptor(
            SETTINGS, new KnownReadiness(), new RejectedRequests(new SimpleMeterRegistry()), new PayloadReadLog());

    @AfterEach
    void noCallerIsKnown() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void the_rate_limit_follows_the_caller_to_other_addresses() {
        calls(caller("ann"));

        MockHttpServletResponse rejected = IntStream.range(0, MANY)
                .mapToObj(number -> sendFrom("10.0.%s.%s".formatted(number / 256, number % 256)))
                .filter(answer -> answer.getStatus() != 200)
                .findFirst()
                .orElseThrow();

        expectProblem(rejected, 429, "too-many-requests");
        assertThat(detail(rejected)).startsWith("Too many requests from this client (limit 3 a second)");
    }

    @Test
    void callers_behind_one_address_have_a_rate_each() {
        for (int number = 0; number < 100; number++) {
            calls(caller("student" + number));

            assertThat(sendFrom("10.0.0.1").getStatus()).isEqualTo(200);
        }
    }

    @Test
    void without_a_login_the_rate_limit_applies_to_the_address() {
        calls(Caller.local());

        assertThat(IntStream.range(0, MANY)
                        .anyMatch(number -> sendFrom("10.0.0.1").getStatus() == 429))
                .isTrue();
        assertThat(sendFrom("10.0.0.2").getStatus()).isEqualTo(200);
    }

    private MockHttpServletResponse sendFrom(String address) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/courses");
        request.setRemoteAddr(address);
        MockHttpServletResponse response = new MockHttpServletResponse();
        try {
            interceptor.preHandle(request, response, this);
        } catch (TooManyRequestsException refused) {
            WrittenProblems.resolver(SETTINGS).resolveException(request, response, null, refused);
        } catch (IOException | HttpMediaTypeNotSupportedException failure) {
            throw new IllegalStateException(failure);
        }
        return response;
    }

    private static Caller caller(String subject) {
        return new Caller("https://issuer.example", subject, null, null, Set.of());
    }

    private static void calls(Caller caller) {
        SecurityContextHolder.getContext().setAuthentication(CallerAuthentication.of(caller, Set.of(), null));
    }
}
