package dev.registrar.http.live;

import java.io.IOException;
import java.io.OutputStream;

/** What a live stream sends after its headers. It has no end of its own. */
public interface LiveBody extends AutoCloseable {

    /**
     * Writes until this body is closed, or until it ends for a reason of its own. Called once, by a virtual thread.
     *
     * @throws IOException if the client has disconnected, or has read nothing for too long
     */
    void write(OutputStream out) throws IOException, InterruptedException;

    /** Makes the writing thread end the body soon. Any thread may call this method, several times. */
    @Override
    void close();
}
