package dev.registrar.security.session;

import dev.registrar.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The input of a form that was not carried out, because its session had ended. It is kept in the new session, one form
 * for each, until the person sends it again or discards it.
 */
public final class KeptForm implements HttpSessionBindingListener {
    /** Of one form; that of a body. */
    static final int MAX_BYTES = 64 * 1024;

    /** Of all kept forms together. */
    private static final long MAX_BYTES_OF_ALL = 16L * 1024 * 1024;

    private static final String ATTRIBUTE = KeptForm.class.getName();
    private static final AtomicLong BYTES_OF_ALL = new AtomicLong();

    private final String action;
    private final List<Field> fields;
    private final @Nullable String person;
    private final int bytes;
    private boolean counted;

    /** A field and its value. */
    public record Field(String name, String value) {}

    /**
     * A form.
     *
     * @param action path and query within the service
     * @param person who was logged in at this browser before; null if that is not known
     */
    KeptForm(String action, List<Field> fields, @Nullable String person) {
        this.action = action;
        this.fields = List.copyOf(fields);
        this.person = person;
        this.bytes = action.length()
                + fields.stream()
                        .mapToInt(field -> field.name().length() + field.value().length())
                        .sum();
    }

    /** Keeps the form in the session, in place of an earlier one. Returns false if there is no room for it. */
    boolean keepIn(HttpSession session) {
        session.removeAttribute(ATTRIBUTE);
        if (bytes > MAX_BYTES || BYTES_OF_ALL.addAndGet(bytes) > MAX_BYTES_OF_ALL) {
            BYTES_OF_ALL.addAndGet(bytes > MAX_BYTES ? 0 : -bytes);
            return false;
        }
        counted = true;
        session.setAttribute(ATTRIBUTE, this);
        return true;
    }

    /** The form that the request's session keeps. */
    public static Optional<KeptForm> of(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(ATTRIBUTE) instanceof KeptForm kept
                ? Optional.of(kept)
                : Optional.empty();
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

    private synchronized void release() {
        if (counted) {
            counted = false;
            BYTES_OF_ALL.addAndGet(-bytes);
        }
    }
}
