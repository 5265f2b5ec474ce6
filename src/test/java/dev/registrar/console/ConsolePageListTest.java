package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

@ServiceTest
class ConsolePageListTest {
    @Test
    void each_page_of_the_console_is_in_the_list(
            @Qualifier("requestMappingHandlerMapping") @Autowired RequestMappingHandlerMapping mapping) {
        Set<String> missing = new TreeSet<>();
        mapping.getHandlerMethods().forEach((info, handler) -> {
            if (handler.getBeanType().getPackageName().startsWith("dev.registrar.console") && isRead(info)) {
                patterns(info)
                        .filter(pattern -> !isListed(pattern))
                        .forEach(pattern -> missing.add(pattern.getPatternString()));
            }
        });

        assertThat(missing).isEmpty();
    }

    /* Titles, names, types, tags and payloads with scripts and odd characters: no page has them as markup. */
    @Test
    void each_page_answers_and_shows_hostile_content_as_text(@LocalServerPort int port) {
        ConsoleScene scene = ConsoleScene.hostile(new Api(port));
        ConsoleClient client = new ConsoleClient(port);
        client.submit("/", "/console/role", "role", "", "student", scene.student());
        for (ConsolePageList.Shown shown : ConsolePageList.PAGES) {
            Page page = client.open(scene.path(shown.template()));

            assertThat(page.status()).as(shown.name()).isEqualTo(shown.status());
            assertThat(page.html())
                    .as(shown.name())
                    .contains("<h1")
                    .doesNotContain("<img src=no", "<script>window", "[[49]]", "onerror=\"window");
        }
        assertThat(client.open(scene.path("/console/courses/{course}")).html())
                .contains("&lt;img src=no onerror=&quot;window");
    }

    private static boolean isRead(RequestMappingInfo info) {
        return info.getMethodsCondition().getMethods().contains(RequestMethod.GET);
    }

    private static Stream<PathPattern> patterns(RequestMappingInfo info) {
        return info.getPathPatternsCondition() == null
                ? Stream.of()
                : info.getPathPatternsCondition().getPatterns().stream();
    }

    private static boolean isListed(PathPattern pattern) {
        return ConsolePageList.PARTS.contains(pattern.getPatternString())
                || ConsolePageList.PAGES.stream()
                        .map(page -> PathContainer.parsePath(page.template().replaceAll("\\?.*", "")))
                        .anyMatch(pattern::matches);
    }
}
