package dev.registrar.console.office;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the fields of a form, in the order of the fields. A field has at most one fault. Templates call
 * the public methods.
 */
final class Faults {
    private final List<Fault> all = new ArrayList<>();
    private boolean isFinal;

    /**
     * A fault of one field.
     *
     * @param field the name of the field, which is also the id of its input
     * @param label of the field
     * @param sentence what is wrong and what to do
     * @param link where to do it; null if that is this form
     */
    record Fault(
            String field,
            String label,
            String sentence,
            @Nullable Link link) {}

    void add(String field, String label, String sentence) {
        put(field, label, sentence, null);
    }

    void add(String field, String label, String sentence, Link link) {
        put(field, label, sentence, link);
    }

    private void put(String field, String label, String sentence, @Nullable Link link) {
        if (of(field) == null) {
            all.add(new Fault(field, label, sentence, link));
        }
    }

    /** Adds why a command was refused, which says by itself what can be done. */
    void add(String field, String label, OfficeCommands.Refused<?> refused) {
        add(field, label, refused.sentence(), refused);
    }

    /** As the other method, with a sentence that suits the form better. */
    void add(String field, String label, String sentence, OfficeCommands.Refused<?> refused) {
        put(field, label, sentence, refused.reason().flatMap(Advice::link).orElse(null));
        isFinal = refused.reason()
                .filter(reason -> !Advice.asksForCorrection(reason))
                .isPresent();
    }

    /** Whether to correct the form and to send it again would change nothing. */
    public boolean isFinal() {
        return isFinal;
    }

    /** The value of a field; empty with a fault if it is refused. */
    <V> Optional<V> value(String field, String label, String sentence, Supplier<V> value) {
        try {
            return Optional.of(value.get());
        } catch (IllegalArgumentException refused) {
            add(field, label, sentence);
            return Optional.empty();
        }
    }

    /** The sentence beside a field; null if the field has no fault. */
    public @Nullable String of(String field) {
        return find(field).map(Fault::sentence).orElse(null);
    }

    private Optional<Fault> find(String field) {
        return all.stream().filter(fault -> fault.field().equals(field)).findFirst();
    }

    /** The link beside a field; null if the field has no fault, or one without a link. */
    public @Nullable Link link(String field) {
        return find(field).map(Fault::link).orElse(null);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public List<Fault> all() {
        return List.copyOf(all);
    }
}
