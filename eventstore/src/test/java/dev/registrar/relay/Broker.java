package dev.registrar.relay;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Kafka broker in a process of its own, which can be killed and started again on its folder. */
final class Broker {
    static final String TOPIC = "events";
    static final int PARTITIONS = 4;

    private final Path folder;
    private final int port;
    private Process process;

    Broker(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.port = freePort();
        Files.writeString(settings(), """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://127.0.0.1:%1$s,CONTROLLER://127.0.0.1:%2$s
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$s
                controller.listener.names=CONTROLLER
                controller.quorum.voters=1@127.0.0.1:%2$s
                log.dirs=%3$s
                num.partitions=%4$s
                offsets.topic.replication.factor=1
                message.max.bytes=100000
                # A broker that was killed is registered again after this time.
                broker.session.timeout.ms=2000
                broker.heartbeat.interval.ms=300
                """.formatted(port, freePort(), folder.resolve("log"), PARTITIONS));
        int formatted = run(
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        "c1u2s3t4e5r6i7d8-_9A0B",
                        "-c",
                        settings().toString())
                .waitFor();
        if (formatted != 0) {
            throw new IllegalStateException("The broker's folder was not formatted: " + output());
        }
        this.process = run("kafka.Kafka", settings().toString());
    }

    String bootstrapServers() {
        return "127.0.0.1:%s".formatted(port);
    }

    void killAndStart() throws IOException, InterruptedException {
        kill();
        process = run("kafka.Kafka", settings().toString());
    }

    String output() throws IOException {
        return Files.readString(folder.resolve("output"));
    }

    private Path settings() {
        return folder.resolve("server.properties");
    }

    private Process run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                program));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("output").toFile()))
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    /** As by kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
