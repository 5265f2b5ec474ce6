package dev.registrar.decision;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The commands of a domain by the names of their types, for callers who name a command by a text, such as a message or
 * a generic endpoint. Each entry is written out: nothing is found by scanning or by convention. A registry is
 * immutable; {@code with} returns another one.
 *
 * <pre>{@code
 * static final CommandRegistry<DeskEvent, Object> COMMANDS = CommandRegistry.<DeskEvent, Object>empty()
 *         .with(AddBook.class)
 *         .with("LendBook", Loan.class, loan -> new LendBook(loan.book(), loan.reader()));
 *
 * loop.execute(COMMANDS.entry("LendBook").decision(loan), origin, key);
 * }</pre>
 *
 * @param <E> the domain's events
 * @param <R> what all reasons for a refusal have in common
 */
public final class CommandRegistry<E, R> {
    private static final int SHOWN = 64;

    private final Map<String, Entry<E, ?, R>> entries;

    /**
     * A type of commands.
     *
     * @param type its name
     * @param form what a caller sends: a value that JSON, for example, can be bound to
     * @param factory makes the decision of a form
     */
    public record Entry<E, C, R>(
            String type, Class<C> form, Function<? super C, ? extends Decision<E, ? extends R>> factory) {
        public Entry {
            if (type.isBlank()) {
                throw new IllegalArgumentException(
                        "The name of a command's type is not blank but was '%s'".formatted(type));
            }
        }

        /**
         * The decision of a command.
         *
         * @throws IllegalArgumentException if the data have another form
         */
        public Decision<E, ? extends R> decision(Object data) {
            if (!form.isInstance(data)) {
                throw new IllegalArgumentException("A command '%s' is made of a %s but was given a %s"
                        .formatted(type, form.getName(), data.getClass().getName()));
            }
            return factory.apply(form.cast(data));
        }
    }

    private CommandRegistry(Map<String, Entry<E, ?, R>> entries) {
        this.entries = Collections.unmodifiableMap(entries);
    }

    /** A registry without commands. */
    public static <E, R> CommandRegistry<E, R> empty() {
        return new CommandRegistry<>(Map.of());
    }

    /**
     * The same registry with another type of commands.
     *
     * @param type the name under which callers send it; the {@link Decision#commandType()} of its decisions, so that
     *     events name it as callers do
     * @throws IllegalArgumentException if the name is blank or taken
     */
    public <C> CommandRegistry<E, R> with(
            String type, Class<C> form, Function<? super C, ? extends Decision<E, ? extends R>> factory) {
        Map<String, Entry<E, ?, R>> more = new LinkedHashMap<>(entries);
        Entry<E, ?, R> other = more.putIfAbsent(type, new Entry<>(type, form, factory));
        if (other != null) {
            throw new IllegalArgumentException("The command type '%s' is registered already, for a %s"
                    .formatted(type, other.form().getName()));
        }
        return new CommandRegistry<>(more);
    }

    /** The same registry with a decision that callers send as it is, under the simple name of its class. */
    public <C extends Decision<E, ? extends R>> CommandRegistry<E, R> with(Class<C> decision) {
        return with(decision.getSimpleName(), decision, Function.identity());
    }

    /** The names of the types, in the order in which they were registered. */
    public Set<String> types() {
        return entries.keySet();
    }

    /**
     * The commands of a type.
     *
     * @throws UnknownCommandException if there are none
     */
    public Entry<E, ?, R> entry(String type) {
        Entry<E, ?, R> entry = entries.get(type);
        if (entry == null) {
            throw new UnknownCommandException("There is no command '%s'; the commands are %s"
                    .formatted(
                            type.length() > SHOWN ? type.substring(0, SHOWN) + "…" : type,
                            String.join(", ", entries.keySet())));
        }
        return entry;
    }
}
