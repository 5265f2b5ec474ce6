package dev.registrar.benchmarks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Rows of the results that a benchmark method measures. Every text may name a parameter of the row in braces, as in
 * {@code {callers}}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Row.All.class)
public @interface Row {
    /**
     * The row's name and its parameters, as in {@code append/batch dataset=small events=1,100 callers=1,10}. There is a
     * row for each combination of values. {@code dataset} names the prepared database, {@code callers} the threads (1
     * if absent); the others are JMH's parameters.
     */
    String value();

    /** JMH's parameters that the name implies, as in {@code question=all tags=3}. */
    String with() default "";

    /** The prepared database of rows without a data set. */
    String on() default "{dataset}";

    /** Settings of the database, as in {@code commit_delay=2000}. */
    String database() default "";

    /**
     * The row that runs in turns with it, by which it is divided: the parameters in which that row differs, as in
     * {@code pool=bare}, or a name and parameters. It has the same data set and as many callers unless it names others.
     * Without parameters that differ, a row is by no other.
     */
    String by() default "";

    /** The calls of one invocation. If there are several, the benchmark itself runs the callers. */
    String calls() default "1";

    /**
     * Whether a process of the service runs on the database, for all rows of a run; they change what the next ones
     * find.
     */
    boolean served() default false;

    Length length() default Length.USUAL;

    /** Whether the row is measured only if its id is selected. */
    boolean onRequest() default false;

    /** How long a row is measured. */
    enum Length {
        /** As in the settings. */
        USUAL,
        /** One call, without a warm-up. */
        ONE_CALL,
        /** Five calls of some seconds each, without a warm-up: a call compiles its code at once. */
        FEW_CALLS,
        /** Ten iterations of a minute. */
        TEN_MINUTES
    }

    /** Several rows of a method. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface All {
        Row[] value();
    }
}
