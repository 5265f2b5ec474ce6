package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.security.Role;
import dev.registrar.security.ServiceWithIssuerTest;
import dev.registrar.security.TestIssuer;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

@ServiceWithIssuerTest
class NoRushTest {
    private final Api api;
    private final ListableBeanFactory beans;

    NoRushTest(@LocalServerPort int port, @Autowired ListableBeanFactory beans) {
        this.api = new Api(port);
        this.beans = beans;
    }

    @Test
    void with_an_issuer_there_is_no_rush() {
        assertThat(api.get("/console/rush/1", TestIssuer.person("operator", Role.OPERATOR))
                        .status())
                .isEqualTo(404);
        assertThat(beans.getBeanDefinitionNames())
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).contains("rush"));
    }
}
