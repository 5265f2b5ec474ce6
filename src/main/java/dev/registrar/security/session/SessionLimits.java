package dev.registrar.security.session;

import dev.registrar.security.AccessMode;
import dev.registrar.security.CallerAuthentication;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.catalina.session.StandardManager;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.stereotype.Component;

/**
 * Bounds the number of sessions, and how long an idle one lasts. When a session ends, so do the answers that are
 * written to its browser.
 */
@Component
final class SessionLimits implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, HttpSessionListener {
    /** Before the login; long enough for a login at the issuer. */
    private static final Duration BEFORE_LOGIN = Duration.ofMinutes(10);

    private final int max;
    private final AccessMode mode;

    /** The sessions whose browser has not yet sent a second request, eldest first. */
    private final Map<String, HttpSession> begun = new LinkedHashMap<>();

    /** As Spring Boot's setting: to the second, since Tomcat alone counts in minutes. */
    private volatile Duration idle = Duration.ofMinutes(30);

    SessionLimits(SessionSettings settings, AccessMode mode) {
        this.max = settings.max();
        this.mode = mode;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        Duration timeout = factory.getSettings().getSession().getTimeout();
        if (timeout != null) {
            idle = timeout;
        }
        factory.addContextCustomizers(context -> {
            StandardManager manager = new StandardManager();
            manager.setMaxActiveSessions(max);
            context.setManager(manager);
        });
    }

    @Override
    public void sessionCreated(HttpSessionEvent created) {
        HttpSession session = created.getSession();
        makeRoom(session);
        if (mode == AccessMode.LOCAL) {
            lengthen(session);
        } else {
            session.setMaxInactiveInterval(Math.toIntExact(BEFORE_LOGIN.toSeconds()));
        }
    }

    /*
     * A client that keeps no cookies begins a session with each request. Such sessions take at most half of the room: the
     * eldest makes room for the next.
     */
    private void makeRoom(HttpSession session) {
        HttpSession eldest = null;
        synchronized (begun) {
            begun.put(session.getId(), session);
            if (begun.size() > Math.max(1, max / 2)) {
                eldest = begun.values().iterator().next();
                begun.remove(eldest.getId());
            }
        }
        if (eldest != null) {
            invalidate(eldest);
        }
    }

    /** Ends a session, which may have ended already. */
    static void invalidate(HttpSession session) {
        try {
            session.invalidate();
        } catch (IllegalStateException ended) {
            // It has ended by itself.
        }
    }

    /** Notes that the browser of a session has sent its cookie. */
    void used(HttpSession session) {
        String id = session.getId();
        synchronized (begun) {
            begun.remove(id);
        }
    }

    /** Gives the session of a person who has logged in its usual life. */
    void lengthen(HttpSession session) {
        session.setMaxInactiveInterval(Math.toIntExact(idle.toSeconds()));
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent destroyed) {
        HttpSession session = destroyed.getSession();
        used(session);
        if (session.getAttribute(HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY)
                        instanceof SecurityContext context
                && context.getAuthentication() instanceof CallerAuthentication person) {
            person.endSession();
        }
    }
}
