package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Callers;
import dev.registrar.security.Scope;
import dev.registrar.security.TestIssuer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What does it cost that the service asks who is calling? Conditional appends over HTTP, to a service that checks the
 * access token of each request and to one in mode {@code local}, take turns. Both run in this process, on one database.
 */
final class AppendsWithToken {
    static final String LOCAL = "local";
    static final String TOKEN = "token";

    private static final int APPENDS = 500;

    private AppendsWithToken() {}

    /** Takes the number of callers. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        int callers = Integer.parseInt(arguments[0]);
        AtomicLong seats = new AtomicLong();
        try (HttpClient client = HttpClient.newHttpClient();
                RunningRegistrar local = new RunningRegistrar(client);
                RunningRegistrar withIssuer =
                        RunningRegistrar.withIssuer(client, "--registrar.security.dcb-enabled=true")) {
            Turn.measure(
                    RunSettings.ofThisProcess(),
                    new Turn(LOCAL, () -> appends(local, callers, seats)),
                    new Turn(TOKEN, () -> appends(withIssuer, callers, seats, TestIssuer.machine(Scope.APPEND))));
        }
    }

    private static long appends(RunningRegistrar service, int callers, AtomicLong seats, String... header)
            throws ExecutionException, InterruptedException {
        Callers.run(callers, caller -> {
            for (int i = 0; i < APPENDS / callers; i++) {
                String body = body(seats.incrementAndGet());
                service.send("POST", "/dcb/append", "application/json", body, 200, header);
            }
        });
        return (long) (APPENDS / callers) * callers;
    }

    private static String body(long seat) {
        return """
                {
                  "events": [{"type": "SeatNumbered", "tags": ["seat:%1$s"], "data": {}}],
                  "condition": {
                    "failIfEventsMatch": {"items": [{"types": ["SeatNumbered"], "tags": ["seat:%1$s"]}]}
                  }
                }""".formatted(seat);
    }
}
