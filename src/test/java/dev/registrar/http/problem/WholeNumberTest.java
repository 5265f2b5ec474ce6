package dev.registrar.http.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A value of a body that is no whole number, or too large for one: the error has the bounds of the field. */
class WholeNumberTest {
    record Form(
            @Min(1) @Max(100_000) @Nullable Integer seats,
            @Min(0) @Nullable Long after,
            @Nullable Integer number,
            @Nullable List<Long> list) {}

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'seats': 'x'}                   | /seats must be a whole number from 1 to 100000
            {'seats': 1.5}                   | /seats must be a whole number from 1 to 100000
            {'seats': 3000000000}            | /seats must be a whole number from 1 to 100000
            {'seats': []}                    | /seats must be a whole number from 1 to 100000
            {'after': true}                  | /after must be a whole number from 0 to 9223372036854775807
            {'after': 99999999999999999999}  | /after must be a whole number from 0 to 9223372036854775807
            {'number': 'x'}                  | /number must be a whole number from -2147483648 to 2147483647
            {'list': [1, 'x']}               | /list/1 must be a whole number from -9223372036854775808 to 9223372036854775807
            """)
    void the_error_has_the_bounds_of_the_field(String text, String detail) {
        byte[] body = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        JsonMapper.Builder json = JsonMapper.builder();
        new JsonConfiguration().strictJson().customize(json);

        JacksonException refused =
                catchThrowableOfType(JacksonException.class, () -> json.build().readValue(body, Form.class));

        assertThat(UnreadableBody.problem(refused, body).getDetail()).isEqualTo(detail);
    }
}
