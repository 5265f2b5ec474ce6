package dev.registrar.http.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.core.context.SecurityContextHolder;

/** To which client a request and its idempotency key are attributed. */
class ClientTest {
    private static final String ISSUER = "https://issuer.example";

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    ClientTest() {
        request.setRemoteAddr("10.0.0.1");
    }

    @AfterEach
    void noCallerIsKnown() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void without_a_login_the_client_is_the_address_and_its_keys_are_kept_as_they_are() {
        calls(Caller.local());

        assertThat(Client.of(request)).isEqualTo("10.0.0.1");
        assertThat(Client.storedKey("k1")).isEqualTo("k1");
    }

    @Test
    void a_caller_is_one_client_at_every_address() {
        calls(caller(ISSUER, "ann"));
        String here = Client.of(request);
        request.setRemoteAddr("10.0.0.2");

        assertThat(Client.of(request)).isEqualTo(here);
    }

    @Test
    void subjects_and_issuers_make_different_clients() {
        assertThat(Set.of(
                        clientOf(caller(ISSUER, "ann")),
                        clientOf(caller(ISSUER, "bob")),
                        clientOf(caller("https://other.example", "ann"))))
                .hasSize(3);
    }

    @Test
    void the_same_key_of_two_callers_is_stored_as_two_keys() {
        calls(caller(ISSUER, "ann"));
        String ofAnn = Client.storedKey("k1");
        calls(caller(ISSUER, "bob"));
        String ofBob = Client.storedKey("k1");
        calls(caller(ISSUER, "ann"));

        assertThat(ofAnn).isNotEqualTo(ofBob).isEqualTo(Client.storedKey("k1"));
    }

    @Test
    void a_subject_that_ends_with_part_of_a_key_is_not_another_subject() {
        calls(caller(ISSUER, "ann"));
        String first = Client.storedKey("ak1");
        calls(caller(ISSUER, "anna"));

        assertThat(Client.storedKey("k1")).isNotEqualTo(first);
    }

    @Test
    void a_stored_key_is_short_and_cannot_be_sent_by_a_client() {
        calls(caller(ISSUER, "ann"));

        assertThat(Client.storedKey("k".repeat(255))).hasSizeLessThan(100).contains(" ");
    }

    private String clientOf(Caller caller) {
        calls(caller);
        return Client.of(request);
    }

    private static Caller caller(String issuer, String subject) {
        return new Caller(issuer, subject, null, null, Set.of());
    }

    private static void calls(Caller caller) {
        SecurityContextHolder.getContext().setAuthentication(CallerAuthentication.of(caller, Set.of(), null));
    }
}
