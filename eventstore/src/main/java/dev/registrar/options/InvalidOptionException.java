package dev.registrar.options;

/** An option of the event store is out of range. */
public final class InvalidOptionException extends IllegalArgumentException {
    private final String option;
    private final String requirement;
    private final String value;

    /**
     * Creates the exception for an invalid option.
     *
     * @param option the path of the option, such as {@code group.maxRequests}
     * @param requirement the permitted values, such as {@code 1 to 10000}
     */
    public InvalidOptionException(String option, String requirement, Object value) {
        super("%s must be %s but is %s".formatted(option, requirement, value));
        this.option = option;
        this.requirement = requirement;
        this.value = value.toString();
    }

    /** The path of the option within the store's options, such as {@code group.maxRequests}. */
    public String option() {
        return option;
    }

    /** The permitted values, such as {@code 1 to 10000}. */
    public String requirement() {
        return requirement;
    }

    /** The invalid value. */
    public String value() {
        return value;
    }
}
