package dev.registrar.erasure;

import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.ErasingEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/** Erases what is personal in the events of a student. */
@Component
@EnableConfigurationProperties(StudentErasure.Settings.class)
public final class StudentErasure {
    /** Maximum length of a reason. */
    public static final int MAX_REASON_LENGTH = ErasingEventStore.MAX_REASON_LENGTH;

    private final ErasingEventStore store;
    private final EnrollmentEventCodec codec;
    private final Settings settings;

    StudentErasure(ErasingEventStore store, EnrollmentEventCodec codec, Settings settings) {
        this.store = store;
        this.codec = codec;
        this.settings = settings;
    }

    /**
     * The settings of erasures.
     *
     * @param enabled whether the course office may erase a student's personal data; with a role of its own for the
     *     service, a start grants it the one function that changes events, or takes it away
     */
    @ConfigurationProperties("registrar.erasure")
    record Settings(@DefaultValue("false") boolean enabled) {}

    /** Whether erasures are enabled. */
    public boolean isEnabled() {
        return settings.enabled();
    }

    /**
     * Erases the events of a student for whom an {@link dev.registrar.enrollment.EraseStudent} was accepted. A
     * repetition changes nothing, or completes an erasure that was interrupted.
     *
     * @param reason 1 to {@value #MAX_REASON_LENGTH} characters, without personal data
     */
    public void erase(StudentId student, Actor actor, String reason) {
        store.erase(Query.of(QueryItem.any().tagged(student.tag().value())), codec.masking(), actor, reason);
    }
}
