package dev.registrar.security.session;

import dev.registrar.security.AccessMode;
import dev.registrar.security.CallerAuthentication;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.catalina.session.ManagerBase;
import org.apache.catalina.session.StandardManager;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.stereotype.Component;

/**
 * Bounds the number of sessions, and how long one lasts before its person has logged in. When a session ends, so do the
 * answers that are written to its browser.
 */
@Component
final class SessionLimits implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, HttpSessionListener {
    /** The attribute of a session with its person. */
    static final String PERSON = HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY;

    /** Long enough for a login at the issuer. */
    private static final Duration BEFORE_LOGIN = Duration.ofMinutes(10);

    /** The attribute of the service with the time after which an idle session ends, as a {@link Duration}. */
    private static final String IDLE = SessionLimits.class.getName();

    private final SessionSettings settings;
    private final AccessMode mode;

    /** The sessions whose browser has not yet sent a second request, eldest first. */
    private final Map<String, HttpSession> begun = new LinkedHashMap<>();

    SessionLimits(SessionSettings settings, AccessMode mode) {
        this.settings = settings;
        this.mode = mode;
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.addContextCustomizers(context -> {
            ManagerBase manager = context.getManager() instanceof ManagerBase known ? known : new StandardManager();
            manager.setMaxActiveSessions(settings.max());
            context.setManager(manager);
            Duration idle = factory.getSettings().getSession().getTimeout();
            if (idle != null) {
                context.getServletContext().setAttribute(IDLE, idle);
            }
        });
    }

    /*
     * A client that keeps no cookies begins a session with each request. Such sessions take at most half of the room: the
     * eldest makes room for the next.
     */
    private void begin(HttpSession session) {
        HttpSession eldest = null;
        synchronized (begun) {
            begun.put(session.getId(), session);
            if (begun.size() > Math.max(1, settings.max() / 2)) {
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

    /**
     * Notes that the browser of a session has sent its cookie. Where pages ask for a login, a session without a person
     * ends 10 minutes after its beginning, however often it is used.
     */
    void used(HttpSession session, Instant now) {
        try {
            used(session.getId());
            if (mode != AccessMode.LOCAL && session.getAttribute(PERSON) == null) {
                endBeforeLogin(session, now);
            }
        } catch (IllegalStateException ended) {
            // By another request of the same browser.
        }
    }

    private static void endBeforeLogin(HttpSession session, Instant now) {
        Duration age = Duration.between(Instant.ofEpochMilli(session.getCreationTime()), now);
        long left = BEFORE_LOGIN.minus(age).toSeconds();
        if (left <= 0) {
            session.invalidate();
            return;
        }
        session.setMaxInactiveInterval(Math.toIntExact(Math.min(left, BEFORE_LOGIN.toSeconds())));
        if (session.getAttribute(PERSON) != null) {
            // The person has logged in meanwhile.
            lengthen(session);
        }
    }

    private void used(String session) {
        synchronized (begun) {
            begun.remove(session);
        }
    }

    @Override
    public void sessionCreated(HttpSessionEvent created) {
        begin(created.getSession());
        if (mode != AccessMode.LOCAL) {
            created.getSession().setMaxInactiveInterval(Math.toIntExact(BEFORE_LOGIN.toSeconds()));
        } else {
            lengthen(created.getSession());
        }
    }

    /**
     * Gives the session of a person who has logged in its usual life. To the second: Tomcat alone counts in minutes.
     */
    static void lengthen(HttpSession session) {
        ServletContext service = session.getServletContext();
        Duration idle = service.getAttribute(IDLE) instanceof Duration set
                ? set
                : Duration.ofMinutes(service.getSessionTimeout());
        session.setMaxInactiveInterval(Math.toIntExact(idle.toSeconds()));
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent destroyed) {
        used(destroyed.getSession().getId());
        if (destroyed.getSession().getAttribute(PERSON) instanceof SecurityContext context
                && context.getAuthentication() instanceof CallerAuthentication person) {
            person.endSession();
        }
    }
}
