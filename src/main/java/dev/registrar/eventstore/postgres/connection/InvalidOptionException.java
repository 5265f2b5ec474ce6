package dev.registrar.eventstore.postgres.connection;

/** An option of the event store has a value out of its bounds. */
public final class InvalidOptionException extends IllegalArgumentException {
    private final String option;
    private final String requirement;
    private final String value;

    /**
     * An option is not what it must be.
     *
     * @param option its path, such as {@code group.maxRequests}
     * @param requirement what it must be, such as {@code 1 to 10000}
     */
    public InvalidOptionException(String option, String requirement, Object value) {
        super("%s must be %s but is %s".formatted(option, requirement, value));
        this.option = option;
        this.requirement = requirement;
        this.value = value.toString();
    }

    /** The option's path below the store's options, such as {@code group.maxRequests}. */
    public String option() {
        return option;
    }

    /** What the option must be, such as {@code 1 to 10000}. */
    public String requirement() {
        return requirement;
    }

    /** The value that it has. */
    public String value() {
        return value;
    }
}
