package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.security.ServiceWithIssuerTest;
import dev.registrar.security.TestBrowser;
import dev.registrar.security.TestIssuer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

@ServiceWithIssuerTest
@DirtiesContext
@TestPropertySource(properties = "registrar.live.heartbeat=200ms")
class LiveSeatsLoginTest {
    private static final String SEATS = "/console/live/seats";

    private final TestBrowser browser;

    LiveSeatsLoginTest(@LocalServerPort int port) {
        this.browser = new TestBrowser(port);
    }

    @Test
    void the_live_seats_of_a_page_end_with_its_session() throws IOException {
        browser.login(TestIssuer.student(Api.newId("student"))[1].replaceFirst("^Bearer ", ""));
        HttpResponse<InputStream> stream = browser.stream("GET", SEATS, "");
        assertThat(stream.statusCode()).isEqualTo(200);
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).startsWith("retry:");

        browser.submit("/console/logout", "_csrf", TestBrowser.csrf(browser.open("/")));

        assertThat(lines.lines()).contains(": ended: the login has ended");
        assertThat(browser.stream("GET", SEATS, "").statusCode()).isEqualTo(401);
    }
}
