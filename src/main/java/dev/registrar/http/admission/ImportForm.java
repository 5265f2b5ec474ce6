package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.security.Role;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.tomcat.util.http.fileupload.FileItemIterator;
import org.apache.tomcat.util.http.fileupload.FileItemStream;
import org.apache.tomcat.util.http.fileupload.FileUpload;
import org.apache.tomcat.util.http.fileupload.FileUploadException;
import org.apache.tomcat.util.http.fileupload.UploadContext;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The multipart form of the console's import. Its parts are read at the first access to a parameter, if the caller is
 * of the course office, and become parameters of the request. The check for forged requests makes that access, so the
 * form's token must be its first part. The file is kept in memory once, up to the limit of files.
 */
public final class ImportForm extends HttpServletRequestWrapper {
    private static final String ATTRIBUTE = ImportForm.class.getName();
    private static final int MAX_PARTS = 8;
    private static final int MAX_FIELD_BYTES = 4 * 1024;
    private static final int MAX_HEADER_BYTES = 1024;
    private static final int BUFFER_BYTES = 8 * 1024;
    private static final byte[] NOTHING = new byte[0];

    private final HttpServletResponse response;
    private final ImportFiles files;
    private final Map<String, String[]> fields = new LinkedHashMap<>();
    private byte[] file = NOTHING;
    private @Nullable Fault fault;
    private boolean begun;
    private boolean entered;

    /** Why a form was not read to its end. The parameters that it began with can be used. */
    public enum Fault {
        TOO_LARGE,
        TOO_MANY_AT_A_TIME,
        TOO_SLOW,
        MALFORMED
    }

    ImportForm(HttpServletRequest request, HttpServletResponse response, ImportFiles files) {
        super(request);
        this.response = response;
        this.files = files;
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The form of a request; empty if the request has no such form. */
    public static Optional<ImportForm> of(HttpServletRequest request) {
        return Optional.ofNullable((ImportForm) request.getAttribute(ATTRIBUTE));
    }

    /** The file; empty if none was chosen. */
    public byte[] file() {
        read();
        return file;
    }

    /** Why the form was not read to its end; empty if it was. */
    public Optional<Fault> fault() {
        read();
        return Optional.ofNullable(fault);
    }

    /** Whether bytes of the body may be left. */
    boolean isUnread() {
        return fault != null || !begun;
    }

    /** Gives back the place of the file. */
    void close() {
        if (entered) {
            entered = false;
            files.leave();
        }
    }

    /* A caller of another role gets no parameters, so its token is missing and the request is refused unread. */
    private void read() {
        if (begun || !isOfCourseOffice()) {
            return;
        }
        begun = true;
        entered = files.enter();
        if (!entered) {
            fault = Fault.TOO_MANY_AT_A_TIME;
        }
        Body body = new Body();
        try {
            readParts(body);
        } catch (LargeBodyException large) {
            fault = Fault.TOO_LARGE;
        } catch (IOException | RuntimeException malformed) {
            // Tomcat's parser does not expect every form.
            fault = body.slow ? Fault.TOO_SLOW : Fault.MALFORMED;
        }
        if (fault != null) {
            // The rest of the body is not read, so the connection cannot be used again.
            response.setHeader("Connection", "close");
        }
    }

    private static boolean isOfCourseOffice() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller != null
                && caller.getAuthorities().stream()
                        .anyMatch(granted -> Role.COURSE_OFFICE.authority().equals(granted.getAuthority()));
    }

    /* Without a place for a file, the fields before it are read nevertheless: the token is among them. */
    private void readParts(Body body) throws IOException {
        FileUpload upload = new FileUpload();
        upload.setPartHeaderSizeMax(MAX_HEADER_BYTES);
        FileItemIterator parts = upload.getItemIterator(body);
        for (int part = 0; parts.hasNext(); part++) {
            FileItemStream next = parts.next();
            String name = next.getFieldName();
            if (part >= MAX_PARTS || name == null) {
                throw new FileUploadException("More than %d fields, or one without a name".formatted(MAX_PARTS));
            }
            if (next.isFormField()) {
                String value = new String(bytes(next, MAX_FIELD_BYTES), StandardCharsets.UTF_8);
                fields.putIfAbsent(name, new String[] {value});
            } else if (entered) {
                // Files together have the limit of one; the last one counts.
                byte[] bytes = bytes(next, files.maxBytes() - file.length);
                file = bytes.length > 0 ? bytes : file;
            } else {
                return;
            }
        }
    }

    private static byte[] bytes(FileItemStream part, int most) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        // Not closed: that would read a part to its end, however long it is.
        InputStream in = part.openStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            bytes.write(buffer, 0, read);
            if (bytes.size() > most) {
                throw new LargeBodyException();
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        read();
        String[] values = fields.get(name);
        return values == null ? null : values.clone();
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        read();
        return Collections.unmodifiableMap(fields);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        read();
        return Collections.enumeration(fields.keySet());
    }

    /* No other reader of the body is left. */
    @Override
    public ServletInputStream getInputStream() {
        return new EmptyBody();
    }

    @Override
    public BufferedReader getReader() {
        return new BufferedReader(new StringReader(""));
    }

    @Override
    public int getContentLength() {
        return 0;
    }

    @Override
    public long getContentLengthLong() {
        return 0;
    }

    private static final class LargeBodyException extends IOException {}

    /** The body as it arrives, until the deadline of the request. */
    private final class Body extends InputStream implements UploadContext {
        private final HttpServletRequest request = (HttpServletRequest) getRequest();
        private boolean slow;

        @Override
        public String getCharacterEncoding() {
            return StandardCharsets.UTF_8.name();
        }

        @Override
        public @Nullable String getContentType() {
            return request.getContentType();
        }

        @Override
        public long contentLength() {
            return request.getContentLengthLong();
        }

        @Override
        public InputStream getInputStream() {
            return this;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            slow = Deadline.isOver();
            if (slow) {
                throw new IOException("The form did not arrive in time");
            }
            try {
                return request.getInputStream().read(buffer, offset, length);
            } catch (IOException failure) {
                slow = failure.getCause() instanceof SocketTimeoutException;
                throw failure;
            }
        }
    }

    private static final class EmptyBody extends ServletInputStream {
        @Override
        public int read() {
            return -1;
        }

        @Override
        public boolean isFinished() {
            return true;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("The body has been read; non-blocking reads are not supported");
        }
    }
}
