package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.CommandController.TypedCommand;
import dev.registrar.http.CourseOfficeCommands.CourseData;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class TypedCommandTest {

    /* If the data could be a container, the validator would warn at the first command of each type (HV000272). */
    @Test
    void the_data_of_a_command_is_validated_without_a_warning(CapturedOutput log) {
        try (ValidatorFactory fresh = Validation.buildDefaultValidatorFactory()) {
            assertThat(fresh.getValidator().validate(new TypedCommand<>("CloseCourse", new CourseData("a b"))))
                    .extracting(violation -> violation.getPropertyPath().toString())
                    .containsExactly("data.courseId");
        }

        assertThat(log.getAll()).doesNotContain("HV000272");
    }
}
