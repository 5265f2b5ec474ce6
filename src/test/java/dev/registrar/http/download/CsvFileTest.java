package dev.registrar.http.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.http.download.CsvFile.Part;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.projection.ViewAt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;

/** A list that cannot be completed does not look complete. */
class CsvFileTest {
    private static final List<String> HEADER = List.of("id");

    private final CsvFile file = new CsvFile("list.csv", false);
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @Test
    void all_pages_are_one_file() throws IOException {
        file.send(HEADER, CsvFileTest::ofThree, response);

        assertThat(response.getContentAsString(StandardCharsets.UTF_8)).isEqualTo("id\r\n1\r\n2\r\n3\r\n");
    }

    @Test
    void a_failure_before_the_first_page_can_be_answered() {
        assertThatThrownBy(() -> file.send(
                        HEADER,
                        after -> {
                            throw new OverloadedException("Full");
                        },
                        response))
                .isInstanceOf(OverloadedException.class);

        assertThat(response.isCommitted()).isFalse();
    }

    @Test
    void a_failure_at_a_later_page_breaks_the_answer() {
        Function<@Nullable Integer, ViewAt<Part<Integer>>> read = after -> {
            if (after != null) {
                throw new OverloadedException("Full");
            }
            return page(1, 2);
        };

        assertThatThrownBy(() -> file.send(HEADER, read, response)).isInstanceOf(BrokenAnswerException.class);

        assertThat(response.isCommitted()).isTrue();
    }

    /* Problems of a request are answered with a body, which would end the answer as if it were complete. */
    @Test
    void whatever_fails_at_a_later_page_breaks_the_answer() {
        Function<@Nullable Integer, ViewAt<Part<Integer>>> read = after -> {
            if (after != null) {
                throw new InvalidValueException("/Registrar-After", "is beyond the last event");
            }
            return page(1, 2);
        };

        assertThatThrownBy(() -> file.send(HEADER, read, response)).isInstanceOf(BrokenAnswerException.class);
    }

    @Test
    void the_deadline_of_the_request_ends_the_list() {
        assertThatThrownBy(() -> Deadline.within(Duration.ZERO, () -> {
                    file.send(HEADER, CsvFileTest::ofThree, response);
                    return response;
                }))
                .isInstanceOf(BrokenAnswerException.class);
    }

    private static ViewAt<Part<Integer>> ofThree(@Nullable Integer after) {
        return page(after == null ? 1 : after + 1, 3);
    }

    private static ViewAt<Part<Integer>> page(int number, int pages) {
        return new ViewAt<>(
                new Part<>(
                        List.of(List.of(Integer.toString(number))),
                        number < pages ? Optional.of(number) : Optional.empty()),
                Position.of(1),
                new UUID(0, 1),
                true);
    }
}
