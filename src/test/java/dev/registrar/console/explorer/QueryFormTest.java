package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreLimits;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

class QueryFormTest {
    private static final StoreLimits LIMITS = StoreLimits.DEFAULT;

    @Test
    void a_form_without_fields_matches_every_event() {
        QueryForm form = QueryForm.of(sent("/"));

        assertThat(form.rows()).hasSize(1);
        assertThat(form.query(LIMITS)).isEqualTo(Query.all());
    }

    @Test
    void each_row_is_an_item() {
        QueryForm form = QueryForm.of(sent("/?type0=A&type0=&type0=B&tag0=x:1&tag0=y&tag2=z&tag1="));

        assertThat(form.query(LIMITS))
                .isEqualTo(Query.of(QueryItem.types("A", "B").tagged("x:1", "y"), QueryItem.tags("z")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/?type0=&tag0=x&tag0=", "/?tag0=x&tag0=&type0=", "/?tag0=x"})
    void an_empty_field_for_types_keeps_the_tags(String address) {
        assertThat(QueryForm.of(sent(address)).query(LIMITS)).isEqualTo(Query.of(QueryItem.tags("x")));
    }

    @Test
    void rows_are_added_and_removed_by_buttons() {
        assertThat(QueryForm.of(sent("/?type0=A&add=item")).rows())
                .containsExactly(new QueryForm.Row(List.of("A"), List.of()), QueryForm.Row.EMPTY);
        assertThat(QueryForm.of(sent("/?type0=A&type1=B&tag1=x&type2=C&remove=1"))
                        .rows())
                .extracting(QueryForm.Row::types)
                .containsExactly(List.of("A"), List.of("C"));
    }

    @Test
    void the_address_of_a_form_makes_the_same_form() {
        QueryForm form = new QueryForm(List.of(
                new QueryForm.Row(List.of("A & B", "\n"), List.of("a=b&tag1=c", "100%", "+", " ", "\\n", "{x}")),
                new QueryForm.Row(List.of(), List.of("größe:\uD83C\uDF93\u202E"))));

        assertThat(QueryForm.of(sent(form.address("/", "live", "on")))).isEqualTo(form);
    }

    @Test
    void what_the_store_would_refuse_is_said_with_the_number_of_its_item() {
        String longTag = "x".repeat(LIMITS.maxTagLength() + 1);
        QueryForm form = QueryForm.of(sent("/?type0=A&tag1=" + longTag));

        assertThatThrownBy(() -> form.query(LIMITS))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageStartingWith("Item 2: A tag must have at most 255 characters but has 256")
                .hasMessageEndingWith(".");
        assertThat(form.rows().get(1).tags()).containsExactly(longTag);
    }

    @Test
    void an_unpaired_surrogate_is_refused_with_a_sentence() {
        QueryForm form = QueryForm.of(sent("/?tag0=%5Cud800"));

        assertThatThrownBy(() -> form.query(LIMITS)).hasMessageContaining("must not contain an unpaired surrogate");
    }

    private static MultiValueMap<String, String> sent(String address) {
        MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
        String[] parts = address.split("\\?", 2);
        if (parts.length == 2) {
            for (String parameter : parts[1].split("&", -1)) {
                String[] both = parameter.split("=", 2);
                parameters.add(
                        URLDecoder.decode(both[0], StandardCharsets.UTF_8),
                        URLDecoder.decode(both[1], StandardCharsets.UTF_8));
            }
        }
        return parameters;
    }
}
