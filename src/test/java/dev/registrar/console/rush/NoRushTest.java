package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.security.Role;
import dev.registrar.security.ServiceWithIssuerTest;
import dev.registrar.security.TestBrowser;
import dev.registrar.security.TestIssuer;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

@ServiceWithIssuerTest
class NoRushTest {
    private final TestBrowser browser;
    private final ListableBeanFactory beans;

    NoRushTest(@LocalServerPort int port, @Autowired ListableBeanFactory beans) {
        this.browser = new TestBrowser(port);
        this.beans = beans;
    }

    @Test
    void with_an_issuer_there_is_no_rush() {
        browser.login(TestIssuer.person("operator", Role.OPERATOR)[1].replaceFirst("^Bearer ", ""));
        String front = browser.open("/").body();

        assertThat(front).contains("operator").doesNotContain("/console/rush");
        assertThat(browser.open("/console/rush/1").statusCode()).isEqualTo(404);
        assertThat(browser.submit(
                                "/console/rush",
                                "_csrf",
                                TestBrowser.findCsrf(browser.open("/")).orElseThrow())
                        .statusCode())
                .isEqualTo(404);
        assertThat(beans.getBeanDefinitionNames())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).contains("rush"));
    }
}
