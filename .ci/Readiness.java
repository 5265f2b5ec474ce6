import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;

/**
 * How fast the service is in its first seconds: starts a jar with an embedded PostgreSQL in an empty folder, and from the
 * moment of its readiness registers and enrolls students for three minutes. Prints the answered requests per second in the
 * first 20 s and in the last third, and the megabytes of its resident memory, without PostgreSQL's, when it is ready and
 * at the end, as JSON. The client has sent requests to a server of its own before.
 *
 * <p>Usage: {@code java -Dclients=32 -Dseconds=180 Readiness.java JAR FOLDER [JVM option…]}, such as an ahead-of-time
 * cache; these numbers are the defaults. Any answer but 201 ends it. {@code .ci/readiness} takes several rounds.
 */
final class Readiness {
    private static final int CLIENTS = Integer.getInteger("clients", 32);
    private static final int COURSES = 20;
    private static final int MAX_CAPACITY = 100_000;
    private static final int SECONDS = Integer.getInteger("seconds", 180);
    private static final int FIRST = 20;
    private static final int LAST = SECONDS / 3;
    private static final int WARM_UP_SECONDS = 20;
    private static final int START_MINUTES = 10;

    /* Without the upgrade to HTTP/2 that the default asks for: with it, the client reads bytes on an idle connection now and
    then, and fails. */
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public static void main(String[] arguments) throws Exception {
        if (SECONDS < FIRST) {
            throw new IllegalArgumentException(
                    "The load must take at least %s s, but -Dseconds is %s".formatted(FIRST, SECONDS));
        }
        List<String> options = List.of(arguments).subList(2, arguments.length);
        new Readiness().run(Path.of(arguments[0]), Path.of(arguments[1]), options);
        System.exit(0);
    }

    private void run(Path jar, Path folder, List<String> options) throws Exception {
        warmUp();
        int port = freePort();
        Files.createDirectories(folder);
        // The heap of the image in a container of 1 GB: half of the memory, and a 64th of it at the start.
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms16m",
                "-Xmx512m",
                "-XX:+UseParallelGC",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-jar", jar.toAbsolutePath().toString(), "--server.port=" + port));
        Process service = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("service.log").toFile())
                .start();
        try {
            String url = "http://127.0.0.1:" + port;
            awaitReadiness(url, service);
            long ready = residentMemory(service);
            AtomicIntegerArray answered = load(url, SECONDS);
            long loaded = residentMemory(service);
            double first = perSecond(answered, 0, FIRST);
            double last = perSecond(answered, SECONDS - LAST, SECONDS);
            System.out.printf(
                    Locale.ROOT,
                    "{\"first\": %.1f, \"last\": %.1f, \"ratio\": %.3f, \"readyMegabytes\": %s, \"endMegabytes\": %s}%n",
                    first,
                    last,
                    first / last,
                    ready,
                    loaded);
        } finally {
            service.destroy();
            service.waitFor(1, TimeUnit.MINUTES);
        }
    }

    /* From Linux's /proc. */
    private static long residentMemory(Process service) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/%s/status".formatted(service.pid())))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .sum()
                    / 1024;
        }
    }

    /* Otherwise the client's own compilation would be part of the figure. */
    private void warmUp() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(201, -1);
            }
        });
        server.start();
        load("http://127.0.0.1:" + server.getAddress().getPort(), WARM_UP_SECONDS);
        server.stop(0);
        threads.shutdown();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void awaitReadiness(String url, Process service) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/actuator/health/readiness"))
                .build();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(START_MINUTES);
        while (System.nanoTime() < end && service.isAlive()) {
            try {
                if (client.send(request, BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException notYetListening) {
                // Tried again below.
            }
            // Another process becomes ready, which can only be polled.
            Thread.sleep(20);
        }
        throw new IllegalStateException("The service did not start");
    }

    /** Registers and enrolls new students, and returns the number of answers in each second. */
    private AtomicIntegerArray load(String url, int seconds) {
        AtomicIntegerArray answered = new AtomicIntegerArray(seconds + 1);
        long begun = System.nanoTime();
        for (int course = 0; course < COURSES; course++) {
            send(post(
                    url + "/api/courses",
                    "{\"id\": \"course-%s\", \"title\": \"A course\", \"capacity\": %s}"
                            .formatted(course, MAX_CAPACITY)));
        }
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = 0; number < CLIENTS; number++) {
                String name = "student-%s-".formatted(number);
                clients.submit(() -> {
                    try {
                        for (int student = 0; second(begun) < seconds; student++) {
                            enroll(url, name + student);
                            answered.addAndGet(Math.min(second(begun), seconds), 2);
                        }
                    } catch (RuntimeException failure) {
                        failure.printStackTrace();
                        System.exit(1);
                    }
                });
            }
        }
        return answered;
    }

    private void enroll(String url, String student) {
        send(post(
                url + "/api/students",
                "{\"id\": \"%s\", \"name\": \"A student\", \"email\": \"%s@example.org\"}".formatted(student, student)));
        send(HttpRequest.newBuilder(URI.create("%s/api/courses/course-%s/students/%s"
                        .formatted(url, ThreadLocalRandom.current().nextInt(COURSES), student)))
                .PUT(BodyPublishers.noBody())
                .build());
    }

    private static int second(long begun) {
        return (int) ((System.nanoTime() - begun) / 1_000_000_000);
    }

    private static HttpRequest post(String url, String json) {
        return HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
    }

    private void send(HttpRequest request) {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 201) {
                throw new IllegalStateException(
                        "%s was answered %s: %s".formatted(request.uri(), answer.statusCode(), answer.body()));
            }
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static double perSecond(AtomicIntegerArray answered, int from, int to) {
        int sum = 0;
        for (int second = from; second < to; second++) {
            sum += answered.get(second);
        }
        return (double) sum / (to - from);
    }
}
