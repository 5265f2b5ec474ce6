package dev.registrar.decision;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The commands of a domain by the names of their types, for callers that name a command by text, such as a message
 * consumer or a generic endpoint. Each entry is registered explicitly: there is no scanning and no convention. A
 * registry is immutable; {@code with} returns a new one.
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
 * @param <R> the common type of all reasons for a refusal
 */
public final class CommandRegistry<E, R> {
    private static final int SHOWN = 64;

    private final Map<String, Entry<E, ?, R>> entries;

    /**
     * A registered command type.
     *
     * @param type the name of the command type
     * @param form the class of the data that a caller sends, such as a record that JSON is bound to
     * @param factory creates the decision from the data
     */
    public record Entry<E, C, R>(
            String type, Class<C> form, Function<? super C, ? extends Decision<E, ? extends R>> factory) {
        public Entry {
            if (type.isBlank()) {
                throw new IllegalArgumentException(
                        "The name of a command type must not be blank but is '%s'".formatted(type));
            }
        }

        /**
         * Creates the decision of a command.
         *
         * @throws IllegalArgumentException if the data are of another class
         */
        public Decision<E, ? extends R> decision(Object data) {
            if (!form.isInstance(data)) {
                throw new IllegalArgumentException("The command '%s' needs data of class %s but got %s"
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
     * A registry with one more command type.
     *
     * @param type the name under which callers send the command; use the {@link Decision#commandType()} of its
     *     decisions, so that events contain the same name
     * @throws IllegalArgumentException if the name is blank or already registered
     */
    public <C> CommandRegistry<E, R> with(
            String type, Class<C> form, Function<? super C, ? extends Decision<E, ? extends R>> factory) {
        Map<String, Entry<E, ?, R>> more = new LinkedHashMap<>(entries);
        Entry<E, ?, R> other = more.putIfAbsent(type, new Entry<>(type, form, factory));
        if (other != null) {
            throw new IllegalArgumentException("The command type '%s' is already registered, with data of class %s"
                    .formatted(type, other.form().getName()));
        }
        return new CommandRegistry<>(more);
    }

    /**
     * A registry with one more decision, which is itself the data that callers send, under the simple name of its
     * class.
     */
    public <C extends Decision<E, ? extends R>> CommandRegistry<E, R> with(Class<C> decision) {
        return with(decision.getSimpleName(), decision, Function.identity());
    }

    /** The names of the command types, in the order of registration. */
    public Set<String> types() {
        return entries.keySet();
    }

    /**
     * The command type with a name.
     *
     * @throws UnknownCommandException if the name is not registered
     */
    public Entry<E, ?, R> entry(String type) {
        Entry<E, ?, R> entry = entries.get(type);
        if (entry == null) {
            throw new UnknownCommandException("Unknown command '%s'; the known commands are %s"
                    .formatted(
                            type.length() > SHOWN ? type.substring(0, SHOWN) + "…" : type,
                            String.join(", ", entries.keySet())));
        }
        return entry;
    }
}
