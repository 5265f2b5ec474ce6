package dev.registrar.benchmarks.figures;

import com.sun.net.httpserver.HttpServer;
import dev.registrar.benchmarks.Callers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How slow is a service that has just reported that it is ready? Reports the time of the first registration, the number
 * of registrations in the first ten seconds, and the median time afterwards.
 */
final class FirstRequests {
    private static final int CALLERS = 10;
    private static final int AFTERWARDS = 2_000;
    private static final int REHEARSALS = 3_000;

    private FirstRequests() {}

    /** Takes {@code true} or {@code false}: whether the service warms up. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            warmUp(client);
            MeasuringProgram.awaitStart();
            try (RunningRegistrar service =
                    new RunningRegistrar(client, "--registrar.warm-up.enabled=" + arguments[0])) {
                AtomicInteger numbers = new AtomicInteger();
                double first = microseconds(service, numbers);
                double tenSeconds = firstTenSeconds(service, numbers);
                double[] afterwards = new double[AFTERWARDS];
                Arrays.setAll(afterwards, i -> microseconds(service, numbers));
                Arrays.sort(afterwards);
                MeasuringProgram.report("first", first);
                MeasuringProgram.report("in the first ten seconds", tenSeconds);
                MeasuringProgram.report("median afterwards", afterwards[AFTERWARDS / 2]);
            }
        }
    }

    /* Warms up the client's own code with another server. */
    private static void warmUp(HttpClient client) throws IOException, InterruptedException {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        other.start();
        URI uri = URI.create("http://127.0.0.1:%s/".formatted(other.getAddress().getPort()));
        for (int i = 0; i < REHEARSALS; i++) {
            client.send(
                    HttpRequest.newBuilder(uri)
                            .POST(HttpRequest.BodyPublishers.ofString("{}"))
                            .build(),
                    BodyHandlers.ofString());
        }
        other.stop(0);
    }

    private static double microseconds(RunningRegistrar service, AtomicInteger numbers) {
        long started = System.nanoTime();
        service.register(numbers.incrementAndGet());
        return (System.nanoTime() - started) / 1e3;
    }

    private static double firstTenSeconds(RunningRegistrar service, AtomicInteger numbers)
            throws ExecutionException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        int before = numbers.get();
        Callers.run(CALLERS, caller -> {
            while (System.nanoTime() < end) {
                service.register(numbers.incrementAndGet());
            }
        });
        return numbers.get() - before;
    }
}
