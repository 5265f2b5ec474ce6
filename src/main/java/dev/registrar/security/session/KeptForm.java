package dev.registrar.security.session;

import dev.registrar.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The input of a form that a session keeps. Of a form that was not carried out, because its session had ended, the new
 * session keeps one, until the person sends it again or discards it. Of the forms that were carried out and whose input
 * may have to be corrected, a session keeps the latest.
 */
public final class KeptForm implements HttpSessionBindingListener {
    /**
     * The heap that all kept forms together may take. For a new one, the eldest form is discarded of the address whose
     * forms take most. So a client that sends many forms discards its own, and no small form of another address.
     */
    static final long MAX_BYTES_OF_ALL = 16L * 1024 * 1024;

    /** What a field takes besides its characters. */
    private static final int BYTES_OF_FIELD = 128;

    private static final String ATTRIBUTE = KeptForm.class.getName();
    private static final String SENT = ATTRIBUTE + ".sent";

    /** The kept forms, eldest first; the lock of their number of bytes as well. */
    private static final Set<KeptForm> KEPT = new LinkedHashSet<>();

    private static final Map<String, Long> BYTES_BY_ADDRESS = new HashMap<>();

    private static long bytesOfAll;

    private final String address;
    private final String action;
    private final @Nullable String person;
    private final long bytes;
    private volatile List<Field> fields;

    /** A field and its value. */
    public record Field(String name, String value) {}

    /**
     * A form.
     *
     * @param address of the client
     * @param action path and query within the service
     * @param person who was logged in at this browser before; null if that is not known
     */
    KeptForm(String address, String action, List<Field> fields, @Nullable String person) {
        this.address = address;
        this.action = action;
        this.fields = List.copyOf(fields);
        this.person = person;
        this.bytes = 2L * action.length()
                + fields.stream()
                        .mapToLong(field -> BYTES_OF_FIELD
                                + 2L * (field.name().length() + field.value().length()))
                        .sum();
    }

    /** Keeps the form in the session, in place of an earlier one. Returns false if the session has ended. */
    boolean keepIn(HttpSession session) {
        return keepIn(session, ATTRIBUTE);
    }

    private boolean keepIn(HttpSession session, String attribute) {
        synchronized (KEPT) {
            KEPT.add(this);
            count(bytes);
            while (bytesOfAll > MAX_BYTES_OF_ALL) {
                eldestOfLargest().release();
            }
        }
        try {
            session.setAttribute(attribute, this);
            return true;
        } catch (IllegalStateException ended) {
            release();
            return false;
        }
    }

    private static KeptForm eldestOfLargest() {
        String largest = Collections.max(BYTES_BY_ADDRESS.entrySet(), Map.Entry.comparingByValue())
                .getKey();
        return KEPT.stream()
                .filter(form -> form.address.equals(largest))
                .findFirst()
                .orElseThrow();
    }

    private void count(long more) {
        bytesOfAll += more;
        BYTES_BY_ADDRESS.compute(address, (unused, before) -> {
            long now = (before == null ? 0 : before) + more;
            return now == 0 ? null : now;
        });
    }

    /** The form that the request's session keeps. */
    public static Optional<KeptForm> of(HttpServletRequest request) {
        return of(request, ATTRIBUTE);
    }

    private static Optional<KeptForm> of(HttpServletRequest request, String attribute) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(attribute) instanceof KeptForm kept && kept.isKept()
                ? Optional.of(kept)
                : Optional.empty();
    }

    /**
     * Keeps what a person has sent, in place of an earlier such form, so that the person can correct it. Without a
     * session, and if no further one can begin, nothing is kept.
     *
     * @param page the path of the page that shows the result
     */
    public static void keepSent(HttpServletRequest request, Caller caller, String page, List<Field> fields) {
        HttpSession session;
        try {
            session = request.getSession();
        } catch (IllegalStateException tooMany) {
            return;
        }
        new KeptForm(request.getRemoteAddr(), page, fields, KnownPerson.digest(caller)).keepIn(session, SENT);
    }

    /** What this person has sent for the result on a page; empty if it is no longer kept, or was sent by another. */
    public static Optional<KeptForm> sent(HttpServletRequest request, Caller caller, String page) {
        return of(request, SENT).filter(kept -> kept.action.equals(page) && kept.isOf(caller));
    }

    /** Forgets the form that the request's session keeps, if there is one. */
    public static void discard(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.removeAttribute(ATTRIBUTE);
        }
    }

    /** Path and query to which the form is sent, within the service. */
    public String action() {
        return action;
    }

    /** The fields in their order, without the token against forged requests. */
    public List<Field> fields() {
        return fields;
    }

    /** Whether the input may be shown to a person: not if someone else was logged in when it was typed. */
    public boolean isOf(Caller caller) {
        return caller.isLocal() || person == null || person.equals(KnownPerson.digest(caller));
    }

    /** When the session ends as well. */
    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
        release();
    }

    private boolean isKept() {
        synchronized (KEPT) {
            return KEPT.contains(this);
        }
    }

    private void release() {
        synchronized (KEPT) {
            if (KEPT.remove(this)) {
                count(-bytes);
                // The session may keep this object for longer.
                fields = List.of();
            }
        }
    }
}
