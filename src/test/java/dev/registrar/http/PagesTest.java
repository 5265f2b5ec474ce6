package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.CatalogController.Students;
import dev.registrar.http.StudentController.Student;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/** The entity tag of a page depends on its contents. */
class PagesTest {

    @Test
    void different_pages_have_different_entity_tags() {
        Students one = new Students(
                List.of(new Student("a", "A, email=b@x.org, tier=null], Student[id=c, name=C", "d@x.org", null)));
        Students two =
                new Students(List.of(new Student("a", "A", "b@x.org", null), new Student("c", "C", "d@x.org", null)));
        assertThat(one).hasToString(two.toString());

        assertThat(entityTag(one, Optional.empty())).isNotEqualTo(entityTag(two, Optional.empty()));
    }

    @Test
    void the_same_page_has_the_same_entity_tag_unless_another_follows() {
        Students page = new Students(List.of(new Student("a", "A", "b@x.org", null)));

        assertThat(entityTag(page, Optional.of("n"))).isEqualTo(entityTag(page, Optional.of("n")));
        assertThat(entityTag(page, Optional.of("n"))).isNotEqualTo(entityTag(page, Optional.empty()));
    }

    private static String entityTag(Students page, Optional<String> next) {
        return String.valueOf(Pages.answer(new MockHttpServletRequest("GET", "/api/students"), page, next)
                .getHeaders()
                .getETag());
    }
}
