package dev.registrar.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

/** How a configured database is named, and how psql connects to it. */
class DatabaseInUseTest {

    @ParameterizedTest
    @CsvSource({
        "//db/shop, psql postgresql://db/shop",
        "//db:5433/shop?sslmode=require, psql postgresql://db:5433/shop",
        "'//one,two/shop', 'psql postgresql://one,two/shop'"
    })
    void psql_takes_the_address_of_the_url(String address, String psql) {
        assertThat(DatabaseInUse.configured(url("jdbc:postgresql:" + address)).psql())
                .isEqualTo(psql);
    }

    @Test
    void psql_connects_as_the_user_of_the_service() {
        assertThat(DatabaseInUse.configured(
                                url("jdbc:postgresql://db/shop").withProperty("spring.datasource.username", "office"))
                        .psql())
                .isEqualTo("psql -U office postgresql://db/shop");
    }

    @ParameterizedTest
    @CsvSource({"jdbc:postgresql:shop", "jdbc:postgresql:/", "jdbc:tc:postgresql:18:///shop"})
    void a_url_without_a_host_has_no_command(String url) {
        assertThat(DatabaseInUse.configured(url(url)).psql()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"jdbc:postgresql://db/shop?user=office&password=secret", "jdbc:postgresql://office:secret@db/shop"})
    void a_password_is_not_shown(String url) {
        DatabaseInUse database = DatabaseInUse.configured(url(url));

        assertThat(database.name()).isEqualTo("jdbc:postgresql://db/shop");
        assertThat(database.toString()).doesNotContain("secret");
    }

    private static MockEnvironment url(String url) {
        return new MockEnvironment().withProperty("spring.datasource.url", url);
    }
}
