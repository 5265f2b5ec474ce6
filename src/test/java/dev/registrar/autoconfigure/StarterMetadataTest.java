package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class StarterMetadataTest {

    private static ObjectNode json(String text) {
        return (ObjectNode) JsonMapper.shared().readTree(text);
    }

    @Test
    void groups_properties_and_hints_of_the_starter_are_kept_and_no_others() {
        ObjectNode all = json("""
                {
                  "groups": [
                    {"name": "registrar.store", "sourceType": "dev.registrar.autoconfigure.StoreSettings"},
                    {"name": "registrar.http", "sourceType": "dev.registrar.http.HttpSettings"},
                    {"name": "registrar.other"}
                  ],
                  "properties": [
                    {"name": "registrar.http.retry-after", "sourceType": "dev.registrar.http.HttpSettings"},
                    {"name": "registrar.store.schema", "sourceType": "dev.registrar.autoconfigure.StoreSettings"},
                    {"name": "registrar.load"}
                  ],
                  "hints": [{"name": "registrar.load"}, {"name": "registrar.store.schema"}],
                  "ignored": {"properties": []}
                }""");

        assertThat(StarterMetadata.cut(all)).isEqualTo(json("""
                {
                  "groups": [
                    {"name": "registrar.store", "sourceType": "dev.registrar.autoconfigure.StoreSettings"}
                  ],
                  "properties": [
                    {"name": "registrar.store.schema", "sourceType": "dev.registrar.autoconfigure.StoreSettings"}
                  ],
                  "hints": [{"name": "registrar.store.schema"}]
                }"""));
    }

    @Test
    void metadata_without_a_property_of_the_starter_is_an_error() {
        assertThatThrownBy(() -> StarterMetadata.cut(json("{\"properties\": [{\"name\": \"registrar.load\"}]}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dev.registrar.autoconfigure.");
    }
}
