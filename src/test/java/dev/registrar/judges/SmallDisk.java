package dev.registrar.judges;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that can be made full. Only root can make one. */
final class SmallDisk implements AutoCloseable {
    private static final long ROOM = 2 << 20;

    private final Path folder;
    private final Path filler;
    private final long size;

    private SmallDisk(Path folder, long size) {
        this.folder = folder;
        this.filler = folder.resolve("filler");
        this.size = size;
    }

    /**
     * Mounts a disk.
     *
     * @throws IOException also without the right to do so
     */
    static SmallDisk mount(Path folder, long size) throws IOException {
        Files.createDirectories(folder);
        if (!Files.getFileStore(folder).equals(Files.getFileStore(folder.getParent()))) {
            // Of a run that was killed.
            run("umount", folder.toString());
        }
        run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString());
        return new SmallDisk(folder, size);
    }

    Path folder() {
        return folder;
    }

    /** Leaves no room. */
    void fill() throws IOException {
        // The size of the disk is lowered first, so that the file that fills it takes little memory.
        FileStore store = Files.getFileStore(folder);
        run(
                "mount",
                "-o",
                "remount,size=" + (store.getTotalSpace() - store.getUnallocatedSpace() + ROOM),
                folder.toString());
        byte[] page = new byte[4096];
        try (OutputStream file = Files.newOutputStream(filler)) {
            while (true) {
                file.write(page);
            }
        } catch (IOException full) {
            // As intended.
        }
    }

    /** Makes room again. */
    void empty() throws IOException {
        run("mount", "-o", "remount,size=" + size, folder.toString());
        Files.deleteIfExists(filler);
    }

    @Override
    public void close() throws IOException {
        run("umount", folder.toString());
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(said.strip());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }
}
