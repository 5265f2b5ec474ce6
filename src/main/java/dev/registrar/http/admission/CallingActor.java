package dev.registrar.http.admission;

import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Actor;
import dev.registrar.security.Caller;

/** The caller of the current request, as the event store records it beside the events of the request. */
public final class CallingActor {
    private CallingActor() {}

    /**
     * The caller, acting for itself.
     *
     * @throws IllegalStateException if the thread handles no request of a known caller
     */
    public static Actor current() {
        return actor(Caller.current());
    }

    /** The caller of a command that concerns a student: it acts on behalf of the student, unless it is the student. */
    public static Actor currentFor(StudentId student) {
        Caller caller = Caller.current();
        return student.value().equals(caller.student())
                ? actor(caller)
                : actor(caller).onBehalfOf(student.value());
    }

    private static Actor actor(Caller caller) {
        return new Actor(caller.issuer(), caller.subject(), caller.client(), null);
    }
}
