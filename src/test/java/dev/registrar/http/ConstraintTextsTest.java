package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The constraints of requests say in words what they require. */
class ConstraintTextsTest {

    /* The default text of a pattern is the pattern, and that of a size does not say of what. */
    @Test
    void a_pattern_and_a_size_have_a_text_of_their_own() {
        List<AnnotatedElement> without = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.registrar.http").stream()
                        .flatMap(type -> Stream.of(type.reflect().getDeclaredMethods()))
                        .<AnnotatedElement>flatMap(
                                method -> Stream.concat(Stream.of(method), Stream.of(method.getParameters())))
                        .filter(ConstraintTextsTest::hasDefaultText)
                        .toList();

        assertThat(without).isEmpty();
    }

    private static boolean hasDefaultText(AnnotatedElement declared) {
        Pattern pattern = declared.getAnnotation(Pattern.class);
        Size size = declared.getAnnotation(Size.class);
        return (pattern != null && pattern.message().startsWith("{"))
                || (size != null && size.message().startsWith("{"));
    }

    @SuppressWarnings("MultipleNullnessAnnotations") // what a client sends, and what the rule is
    record Form(@NotNull @Nullable String field) {}

    @Test
    void a_missing_field_is_required() {
        try (var factory = Validation.buildDefaultValidatorFactory()) {
            Validator validator = factory.getValidator();

            assertThat(validator.validate(new Form(null)))
                    .singleElement()
                    .satisfies(violation -> assertThat(violation.getMessage()).isEqualTo("is required"));
        }
    }
}
