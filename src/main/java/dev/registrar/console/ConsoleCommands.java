package dev.registrar.console;

import dev.registrar.console.Notices.Notice;
import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.Attempts;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentCommand;
import dev.registrar.enrollment.TimesClash;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.admission.EdgeFilter;
import dev.registrar.http.problem.KeptRefusals;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Component;
import org.springframework.validation.BindingResult;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Gives the commands of the console's forms. The events record the visitor as their actor. The page that the browser is
 * redirected to waits for the views that it shows ({@link ConsoleReads}), and says what was done, or why it was not.
 *
 * <p>The caller has checked that the visitor may give the command, and about which student.
 */
@Component
public final class ConsoleCommands {
    private static final String REFERENCE = ConsoleCommands.class.getName();
    private static final String CLASHES = REFERENCE + ".clashes";

    private static final Refused CONTENDED = new Refused("contended", "Others changed the same data at the same time");

    private final DecisionLoop<EnrollmentEvent> loop;
    private final ConsoleReads reads;
    private final KeptRefusals refusals;
    private final MessageSource messages;
    private final HttpServletRequest request;

    /** @param request the current request of the calling thread */
    ConsoleCommands(
            DecisionLoop<EnrollmentEvent> loop,
            ConsoleReads reads,
            KeptRefusals refusals,
            MessageSource messages,
            HttpServletRequest request) {
        this.loop = loop;
        this.reads = reads;
        this.refusals = refusals;
        this.messages = messages;
        this.request = request;
    }

    /**
     * Why a command was not carried out.
     *
     * @param code of the refusal; {@code contended} if the command lost races against others
     * @param explanation what was wrong, without a full stop
     * @param clashesWith the ids of the student's courses that meet at the same time, if that is the reason
     */
    public record Refused(String code, String explanation, List<String> clashesWith) {
        public Refused(String code, String explanation) {
            this(code, explanation, List.of());
        }
    }

    /**
     * Gives a command.
     *
     * @param command called again if the store's content, from which it was made, has changed meanwhile
     *     ({@link Attempts})
     * @return empty if it was accepted
     */
    public Optional<Refused> give(Supplier<? extends Decision<EnrollmentEvent, ? extends Refusal>> command) {
        Attempts.Last last = Attempts.carryOut(command, this::execute);
        return refused(last.decision(), last.outcome());
    }

    private <R extends Refusal> Outcome<EnrollmentEvent, R> execute(Decision<EnrollmentEvent, R> command) {
        Origin origin = Origin.correlatedBy(EdgeFilter.correlationId(request))
                .by(
                        command instanceof StudentCommand ofStudent
                                ? CallingActor.currentFor(ofStudent.student())
                                : CallingActor.current());
        return loop.execute(command, origin, null);
    }

    private <R extends Refusal> Optional<Refused> refused(
            Decision<EnrollmentEvent, ?> decision, Outcome<EnrollmentEvent, R> outcome) {
        return switch (outcome) {
            case Outcome.Accepted<EnrollmentEvent, R> accepted -> {
                reads.nextPageWaitsFor(accepted.position());
                yield Optional.empty();
            }
            case Outcome.Rejected<EnrollmentEvent, R>(R reason, String explanation) -> {
                keep(decision, reason);
                List<String> clashing = TimesClash.courses(reason);
                request.setAttribute(CLASHES, clashing);
                yield Optional.of(new Refused(reason.code(), explanation, clashing));
            }
            case Outcome.Contended<EnrollmentEvent, R> contended -> Optional.of(CONTENDED);
        };
    }

    private void keep(Decision<EnrollmentEvent, ?> refused, Refusal reason) {
        if (refusals.most() > 0) {
            String id = EdgeFilter.correlationId(request);
            refusals.keep(id, refused, reason);
            request.setAttribute(REFERENCE, id);
        }
    }

    /** The correlation id under which the refused command of a request is found; null if there is none. */
    static @Nullable String reference(HttpServletRequest request) {
        return (String) request.getAttribute(REFERENCE);
    }

    /** The ids of the courses with which the refused command of a request clashes; null or empty if there are none. */
    static @Nullable Object clashesWith(HttpServletRequest request) {
        return request.getAttribute(CLASHES);
    }

    /**
     * Gives the command of a form, unless a field has an error. A refusal becomes an error of the form.
     *
     * @param field that a refusal is about
     * @return whether the command was accepted
     */
    public boolean give(
            BindingResult form,
            String field,
            Supplier<? extends Decision<EnrollmentEvent, ? extends Refusal>> command) {
        if (!form.hasErrors()) {
            give(command).ifPresent(refused -> reject(form, field, refused));
        }
        return !form.hasErrors();
    }

    /** Makes a refusal an error of a form. */
    public static void reject(BindingResult form, String field, Refused refused) {
        form.rejectValue(
                field,
                FormStatus.REFUSED + refused.code(),
                new Object[] {refused.explanation()},
                refused.explanation());
    }

    /** Gives a command after its confirmation. */
    public void give(Decision<EnrollmentEvent, ? extends Refusal> command, String done) {
        give(command, done, "");
    }

    /**
     * As {@link #give(Decision, String)}.
     *
     * @param before what the next page says before the reason of a refusal, such as what was done nevertheless
     */
    public void give(Decision<EnrollmentEvent, ? extends Refusal> command, String done, String before) {
        give(() -> command)
                .ifPresentOrElse(
                        refused -> refused(before + sentence(FormStatus.REFUSED, refused, refused.explanation())),
                        () -> done(done));
    }

    /**
     * A sentence of {@code messages.properties} about a refusal.
     *
     * @param table the prefix of the sentence's key, before the code of the refusal
     */
    public String sentence(String table, Refused refused, Object... values) {
        return String.valueOf(
                messages.getMessage(table + refused.code(), values, refused.explanation() + ".", Locale.ENGLISH));
    }

    /** Lets the next page say what was done. */
    public void done(String text) {
        add(new Notice(false, text, null));
    }

    /** Lets the next page say why nothing was changed, and what to do. */
    public void refused(String text) {
        refused(text, Map.of());
    }

    /**
     * As {@link #refused(String)}.
     *
     * @param courses the titles of courses that the text is about, by their ids, to which it gets links for a student
     */
    public void refused(String text, Map<String, String> courses) {
        add(new Notice(true, text, reference(request), courses));
    }

    private void add(Notice notice) {
        RequestContextUtils.getOutputFlashMap(request).put(Notices.ATTRIBUTE, List.of(notice));
    }
}
