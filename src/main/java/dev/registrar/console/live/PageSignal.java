package dev.registrar.console.live;

/** The next thing that a page receives. */
public sealed interface PageSignal {

    /** The next event. */
    record Delivery(PageEvent event) implements PageSignal {}

    /** No event arrived within the time-out. */
    record Idle() implements PageSignal {}

    /**
     * The source has ended. The browser connects again after a few seconds, unless the page has closed the stream.
     *
     * @param reason for the person who reads the stream, in one line
     */
    record End(String reason) implements PageSignal {}
}
