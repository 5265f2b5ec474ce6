package dev.registrar.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An exclusive lock on a data folder. The operating system releases it when the process ends. */
final class DataFolderLock implements AutoCloseable {
    private final FileChannel channel;

    private DataFolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock without waiting.
     *
     * @throws EmbeddedPostgresFailure if another process holds it; the message names that process
     */
    static DataFolderLock take(Path file, Path dataFolder) throws IOException {
        // The lock lies beside the data folder, where another user may have put a link to a file of this one.
        var channel = FileChannel.open(file, CREATE, WRITE, NOFOLLOW_LINKS);
        if (tryLock(channel) == null) {
            channel.close();
            throw new EmbeddedPostgresFailure(
                    "Another Registrar already uses %s (process %s)."
                            .formatted(
                                    dataFolder, Files.readString(file, US_ASCII).strip()),
                    "Stop it, or set registrar.embedded.data-directory to another folder,"
                            + " or spring.datasource.url to another database.");
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(US_ASCII)));
        return new DataFolderLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            // Beyond the end of the text, because on Windows a lock also blocks readers.
            return channel.tryLock(Long.MAX_VALUE - 1, 1, false);
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
