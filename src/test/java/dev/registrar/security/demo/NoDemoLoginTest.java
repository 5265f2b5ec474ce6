package dev.registrar.security.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.ServiceTest;
import dev.registrar.security.TestBrowser;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Without the setting, the service has no login form. {@link DemoLoginTest} has it. */
@ServiceTest
class NoDemoLoginTest {

    @Test
    void there_is_no_login_form(@LocalServerPort int port) {
        assertThat(new TestBrowser(port).open("/console/login").statusCode()).isEqualTo(404);
    }
}
