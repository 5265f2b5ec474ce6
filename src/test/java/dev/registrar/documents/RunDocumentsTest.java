package dev.registrar.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program with which {@code .ci/docs} runs the commands of the documents; skipped without Python. */
class RunDocumentsTest {
    /** A port that no command of these tests calls. */
    private static final String PORT = "1";

    private record Outcome(int status, String printed) {}

    @TempDir
    private Path folder;

    @Test
    void commands_that_print_what_is_shown_pass() throws IOException, InterruptedException {
        Outcome outcome = run("""
                ```console
                $ body='{
                    "id": 7}'
                $ echo "$body"
                {
                    "id": 7}
                $ printf 'one\\ntwo\\n{"id":"%s","durationInMicroseconds":12}\\n' 019a0000-0000-7000-8000-000000000001
                two
                {"id":"019a0000-0000-7000-8000-00000000000f","durationInMicroseconds":3456}
                $ echo a long \\
                    line
                a … line
                ```

                ```sh
                true
                ```
                """);

        assertThat(outcome.printed()).contains("Commands of documents: 5 run, 0 blocks not run, 0 failed");
        assertThat(outcome.status()).isZero();
    }

    @Test
    void another_answer_than_the_shown_one_fails() throws IOException, InterruptedException {
        Outcome outcome = run("""
                ```console
                $ printf '{"full":false}\\n'
                {"full":true}
                ```
                """);

        assertThat(outcome.printed()).contains("page.md:1: the line", "{\"full\":true}", "1 run", "1 failed");
        assertThat(outcome.status()).isOne();
    }

    @Test
    void lines_in_another_order_fail() throws IOException, InterruptedException {
        assertThat(run("""
                ```console
                $ printf 'one\\ntwo\\n'
                two
                one
                ```
                """).status()).isOne();
    }

    @Test
    void a_command_that_fails_is_found() throws IOException, InterruptedException {
        assertThat(run("""
                ```sh
                false
                true
                ```
                """).printed()).contains("exit status 1", "1 failed");
    }

    @Test
    void a_marked_block_is_not_run() throws IOException, InterruptedException {
        Outcome outcome = run("""
                <!-- not run: it would fail -->
                ```sh
                false
                ```

                ```console
                $ true
                ```
                """);

        assertThat(outcome.printed()).contains("1 run, 1 blocks not run, 0 failed");
        assertThat(outcome.status()).isZero();
    }

    @Test
    void documents_without_commands_fail() throws IOException, InterruptedException {
        assertThat(run("No command.\n").status()).isOne();
    }

    private Outcome run(String page) throws IOException, InterruptedException {
        Path document = Files.writeString(folder.resolve("page.md"), page);
        Process program = python(document);
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(program.waitFor(), printed);
    }

    private static Process python(Path document) throws IOException {
        try {
            return new ProcessBuilder("python3", "src/test/python/run_documents.py", PORT, document.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException none) {
            return abort("There is no python3 to run the documents with");
        }
    }
}
