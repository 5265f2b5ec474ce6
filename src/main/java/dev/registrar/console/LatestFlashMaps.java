package dev.registrar.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.support.SessionFlashMapManager;

/**
 * Keeps what forms leave for the pages after them: of one session, the latest {@value #MAX}. A browser that sends forms
 * and opens no page would otherwise fill its session.
 */
final class LatestFlashMaps extends SessionFlashMapManager {
    static final int MAX = 8;

    /* A part of the page that is left may be loaded again at this moment, from the address of the page that follows. */
    @Override
    protected @Nullable List<FlashMap> retrieveFlashMaps(HttpServletRequest request) {
        return request.getMethod().equals("GET") && request.getHeader("HX-Request") != null
                ? null
                : super.retrieveFlashMaps(request);
    }

    @Override
    protected void updateFlashMaps(List<FlashMap> maps, HttpServletRequest request, HttpServletResponse response) {
        List<FlashMap> latest =
                maps.size() > MAX ? new CopyOnWriteArrayList<>(maps.subList(maps.size() - MAX, maps.size())) : maps;
        try {
            super.updateFlashMaps(latest, request, response);
        } catch (IllegalStateException failure) {
            if (request.getSession(false) != null) {
                throw failure;
            }
            // The session has ended, for example by a logout in another tab. The form is done, and its page follows.
        }
    }
}
