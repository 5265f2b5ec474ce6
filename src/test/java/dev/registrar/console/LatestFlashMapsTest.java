package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.web.servlet.FlashMap;

/** What forms leave for the pages after them. */
class LatestFlashMapsTest {
    private final LatestFlashMaps maps = new LatestFlashMaps();
    private final MockHttpSession session = new MockHttpSession();

    private MockHttpServletRequest request() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/console/role");
        request.setSession(session);
        return request;
    }

    @Test
    void only_the_latest_ones_of_a_session_are_kept() {
        for (int form = 0; form < 3 * LatestFlashMaps.MAX; form++) {
            FlashMap left = new FlashMap();
            left.put("form", form);
            maps.saveOutputFlashMap(left, request(), new MockHttpServletResponse());
        }

        String attribute = session.getAttributeNames().nextElement();
        assertThat((List<?>) session.getAttribute(attribute)).hasSize(LatestFlashMaps.MAX);
        Map<String, Object> next = maps.retrieveAndUpdate(request(), new MockHttpServletResponse());
        assertThat(next).containsEntry("form", 2 * LatestFlashMaps.MAX);
    }

    @Test
    void a_part_of_the_page_that_is_left_takes_nothing_from_the_page_that_follows() {
        FlashMap left = new FlashMap();
        left.put("form", 1);
        maps.saveOutputFlashMap(left, request(), new MockHttpServletResponse());
        MockHttpServletRequest page = new MockHttpServletRequest("GET", "/console/role");
        page.setSession(session);
        MockHttpServletRequest part = new MockHttpServletRequest("GET", "/console/role");
        part.setSession(session);
        part.addHeader("HX-Request", "true");

        Map<String, Object> ofPart = maps.retrieveAndUpdate(part, new MockHttpServletResponse());
        assertThat(ofPart).isNull();
        Map<String, Object> next = maps.retrieveAndUpdate(page, new MockHttpServletResponse());
        assertThat(next).containsEntry("form", 1);
    }

    @Test
    void a_session_that_has_ended_loses_them_without_a_failure() {
        MockHttpServletRequest request = request();
        request.setSession(new MockHttpSession() {
            @Override
            public void setAttribute(String name, @Nullable Object value) {
                invalidate();
                super.setAttribute(name, value);
            }
        });
        FlashMap left = new FlashMap();
        left.put("form", 1);

        maps.saveOutputFlashMap(left, request, new MockHttpServletResponse());

        assertThat(request.getSession(false)).isNull();
    }
}
