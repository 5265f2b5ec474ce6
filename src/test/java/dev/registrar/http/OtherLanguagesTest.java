package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A client of the event store in Python, written from docs/http-api.md; skipped without Python. */
@ServiceTest
class OtherLanguagesTest {

    @Test
    void a_client_in_python_confirms_the_contract(@LocalServerPort int port) throws IOException, InterruptedException {
        Process client = python("src/test/python/dcb_client.py", "http://localhost:%s/dcb".formatted(port));
        String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(client.waitFor()).as(said).isZero();
        assertThat(said).contains("The store keeps the contract");
    }

    private static Process python(String program, String uri) throws IOException {
        try {
            return new ProcessBuilder("python3", program, uri)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException none) {
            return abort("There is no python3 to run the client with");
        }
    }
}
