package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.registrar.decision.Decision;
import java.util.List;
import org.junit.jupiter.api.Test;

class StudentCommandTest {

    /* Otherwise the events would not record on whose behalf the course office gave the command. */
    @Test
    void every_command_that_names_one_student_is_a_student_command() {
        List<JavaClass> ofStudents = new ClassFileImporter()
                .importPackages("dev.registrar.enrollment").stream()
                        .filter(each -> each.isAssignableTo(Decision.class) && each.isRecord())
                        .filter(each -> each.getFields().stream()
                                .anyMatch(field -> field.getRawType().isEquivalentTo(StudentId.class)))
                        .toList();

        assertThat(ofStudents).hasSizeGreaterThan(3).allMatch(each -> each.isAssignableTo(StudentCommand.class));
    }
}
