package dev.registrar.console.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.registrar.http.live.LiveBody;
import dev.registrar.security.LoginEnd;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** The server-sent events of one page, until the page is closed or the login or the session ends. */
final class PageStream implements LiveBody {
    private static final Duration RETRY = Duration.ofSeconds(3);
    private static final byte[] BEGIN =
            "retry: %d\n\n".formatted(RETRY.toMillis()).getBytes(UTF_8);
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(UTF_8);

    private final PageSource source;
    private final Duration heartbeat;
    private final LoginEnd login;
    private final Runnable closed;

    /**
     * Creates a stream.
     *
     * @param closed called when the stream is closed, perhaps several times
     */
    PageStream(PageSource source, Duration heartbeat, LoginEnd login, Runnable closed) {
        this.source = source;
        this.heartbeat = heartbeat;
        this.login = login;
        this.closed = closed;
    }

    @Override
    public void write(OutputStream out) throws IOException, InterruptedException {
        out.write(BEGIN);
        PageSignal signal = next(out);
        while (!login.isReached()) {
            switch (signal) {
                case PageSignal.Delivery(PageEvent event) -> event.writeTo(out);
                case PageSignal.Idle() -> out.write(HEARTBEAT);
                case PageSignal.End(String reason) -> {
                    end(reason, out);
                    return;
                }
            }
            signal = next(out);
        }
        end("the login has ended", out);
    }

    /* Flushes only if no event is ready. */
    private PageSignal next(OutputStream out) throws IOException, InterruptedException {
        PageSignal ready = source.next(Duration.ZERO);
        if (!(ready instanceof PageSignal.Idle)) {
            return ready;
        }
        out.flush();
        return source.next(login.left(heartbeat));
    }

    private static void end(String reason, OutputStream out) throws IOException {
        out.write(": ended: %s\n\n".formatted(reason).getBytes(UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        closed.run();
        source.close();
    }
}
