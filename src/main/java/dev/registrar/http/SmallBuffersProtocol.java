package dev.registrar.http;

import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SocketProperties;

/** HTTP/1.1 as Tomcat speaks it, with less memory for each request that is being answered. */
public final class SmallBuffersProtocol extends Http11NioProtocol {
    /*
     * A live answer keeps the buffers of its request for as long as it lasts, and thousands last at a time: Tomcat's own
     * come to 88 KiB for each. Of those that remain, 16 KiB are the limits of the headers in either direction, and 16
     * KiB are characters of a body, which cannot be made smaller. What is longer than a buffer takes several turns: a
     * usual request is read in one, and a usual answer is sent in one.
     */
    private static final int BYTES_READ_AT_ONCE = 2 * 1024;

    private static final int BYTES_SENT_AT_ONCE = 4 * 1024;
    /** Of an answer's body; and as many characters, which take two bytes each. */
    private static final int BYTES_COLLECTED = 4 * 1024;
    /** What may follow a body that is sent in chunks, and means nothing to any request. */
    private static final int LONGEST_TRAILERS = 512;

    /** Tomcat makes one by its name. */
    public SmallBuffersProtocol() {
        setMaxTrailerSize(LONGEST_TRAILERS);
        SocketProperties sockets = getEndpoint().getSocketProperties();
        sockets.setAppReadBufSize(BYTES_READ_AT_ONCE);
        sockets.setAppWriteBufSize(BYTES_SENT_AT_ONCE);
    }

    @Override
    public int getDesiredBufferSize() {
        return BYTES_COLLECTED;
    }
}
