package dev.registrar.gatling;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;

/** Starts the service, writes its address to a file, and stops the service when this process is terminated. */
final class RegistrarInBackground {
    private RegistrarInBackground() {}

    /** Takes the name of the file. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path file = Path.of(arguments[0]);
        Files.deleteIfExists(file);
        ServiceProcess service = ServiceProcess.start();
        Properties known = new Properties();
        known.setProperty(RegistrarUnderLoad.URL, service.baseUrl());
        known.setProperty(RegistrarUnderLoad.PID, Long.toString(service.pid()));
        known.setProperty(RegistrarUnderLoad.SERVER, service.server());
        // Moved into place in one step, since other processes wait for the file.
        Path draft = Files.createTempFile(file.getParent(), "service", ".properties");
        try (OutputStream out = Files.newOutputStream(draft)) {
            known.store(out, "The service that all simulations share");
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        new CountDownLatch(1).await();
    }
}
