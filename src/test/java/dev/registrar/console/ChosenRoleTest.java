package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.ServiceTest;
import dev.registrar.security.Role;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** In the mode {@code local} a chosen role has the pages that its navigation shows, and no others. */
@ServiceTest
class ChosenRoleTest {
    private static final Pattern NAVIGATION = Pattern.compile("<nav aria-label=\"Pages\">.*?</nav>", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]+)\"");

    private final ConsoleClient client;

    ChosenRoleTest(@LocalServerPort int port) {
        this.client = new ConsoleClient(port);
    }

    private Set<String> navigation() {
        return NAVIGATION
                .matcher(client.open("/").expect(200).html())
                .results()
                .flatMap(nav -> LINK.matcher(nav.group()).results())
                .map(link -> link.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void navigation_and_access_agree_for_each_role(Role role) {
        Set<String> all = navigation();
        client.submit("/", "/console/role", "role", role.claim(), "student", "").expect(200);
        Set<String> own = navigation();

        assertThat(all).hasSizeGreaterThan(9).containsAll(own);
        assertThat(own).isNotEmpty().hasSizeLessThan(all.size());
        for (String path : all) {
            assertThat(client.open(path).status()).as(path).isEqualTo(own.contains(path) ? 200 : 403);
        }
    }
}
