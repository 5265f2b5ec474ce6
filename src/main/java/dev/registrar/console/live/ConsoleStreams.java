package dev.registrar.console.live;

import dev.registrar.http.live.LiveStreams;
import dev.registrar.security.LoginEnd;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Answers the requests of open pages for live events. Each stream counts as one of its client, sends heartbeats, and
 * ends with the login or the session of the page, or when the service stops.
 */
@Component
public final class ConsoleStreams implements SmartLifecycle {
    private final LiveStreams streams;
    private final Set<PageSource> open = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    ConsoleStreams(LiveStreams streams) {
        this.streams = streams;
    }

    /**
     * Answers a request with server-sent events, which begin when the request's thread has returned. The controller's
     * method must return nothing.
     *
     * @param source creates the source, after the stream is counted; the source is closed when the stream ends
     */
    public void open(HttpServletRequest request, HttpServletResponse response, Supplier<? extends PageSource> source) {
        streams.answer(
                MediaType.TEXT_EVENT_STREAM_VALUE,
                () -> {
                    PageSource opened = source.get();
                    open.add(opened);
                    if (!running) {
                        opened.close();
                    }
                    return new PageStream(opened, streams.heartbeat(), LoginEnd.current(), () -> open.remove(opened));
                },
                request,
                response);
    }

    @Override
    public void start() {
        running = true;
    }

    /** Ends all streams. Runs before the web server stops, so that the pages receive the end. */
    @Override
    public void stop() {
        running = false;
        List.copyOf(open).forEach(PageSource::close);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
