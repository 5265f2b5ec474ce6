package dev.registrar.http.admission;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.ModelAndView;

/** How many forms are read at a time. */
class FormReaderTest {
    private static final int MOST = 100;

    private final List<Exception> refused = new ArrayList<>();
    private final FormReader reader = new FormReader(new EarlyRefusals((request, response, handler, failure) -> {
        refused.add(failure);
        return new ModelAndView();
    }));

    @AfterEach
    void forget_the_caller() {
        SecurityContextHolder.clearContext();
    }

    /* While a form is read, the next one arrives. */
    private Optional<HttpServletRequest> read(int atATime) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/console/role") {
            @Override
            public ServletInputStream getInputStream() {
                if (atATime > 1) {
                    read(atATime - 1);
                }
                return super.getInputStream();
            }
        };
        request.setContent("role=operator".getBytes(US_ASCII));
        try {
            return reader.read(request, new MockHttpServletResponse());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void forms_of_senders_who_are_not_known_are_limited() {
        assertThat(read(MOST)).isPresent();
        assertThat(refused).isEmpty();

        assertThat(read(MOST + 1)).isPresent();
        assertThat(refused)
                .singleElement()
                .isInstanceOfSatisfying(
                        ErrorResponseException.class,
                        failure -> assertThat(failure.getStatusCode().value()).isEqualTo(503));

        assertThat(read(MOST)).isPresent();
        assertThat(refused).hasSize(1);
    }

    @Test
    void forms_of_persons_who_are_logged_in_need_no_place() {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("someone", ""));

        assertThat(read(2 * MOST)).isPresent();
        assertThat(refused).isEmpty();
    }

    @Test
    void a_session_that_ends_while_it_is_read_leaves_an_unknown_sender() {
        SecurityContextHolder.setDeferredContext(() -> {
            throw new IllegalStateException("Session already invalidated");
        });

        assertThat(read(1)).isPresent();
        assertThat(refused).isEmpty();
    }
}
