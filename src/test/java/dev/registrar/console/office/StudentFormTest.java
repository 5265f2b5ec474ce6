package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.Tier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The form that registers a student. */
class StudentFormTest {
    private final Faults faults = new Faults();

    @Test
    void a_complete_form_becomes_the_commands() {
        StudentForm.Commands commands = new StudentForm("ann", "Ann Arbor", "ann@example.org", "professional")
                .commands(faults)
                .orElseThrow();

        assertThat(commands.register().student().value()).isEqualTo("ann");
        assertThat(commands.register().name().value()).isEqualTo("Ann Arbor");
        assertThat(commands.register().email().value()).isEqualTo("ann@example.org");
        assertThat(commands.tier()).contains(Tier.PROFESSIONAL);
    }

    @Test
    void id_and_tier_may_be_left_out() {
        StudentForm.Commands commands = new StudentForm("", "Ann", "ann@example.org", "")
                .commands(faults)
                .orElseThrow();

        assertThat(commands.register().student().value()).isNotEmpty();
        assertThat(commands.tier()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "a b, Ann, ann@example.org, '', id",
        "ann, '', ann@example.org, '', name",
        "ann, Ann, ann, '', email",
        "ann, Ann, ann@example.org, gold, tier"
    })
    void a_refused_value_has_a_fault_that_does_not_repeat_it(
            String id, String name, String email, String tier, String field) {
        assertThat(new StudentForm(id, name, email, tier).commands(faults)).isEmpty();

        assertThat(faults.all()).extracting(Faults.Fault::field).containsExactly(field);
    }

    @Test
    void an_empty_form_has_a_fault_for_each_required_field() {
        assertThat(StudentForm.EMPTY.commands(faults)).isEmpty();

        assertThat(faults.all()).extracting(Faults.Fault::field).containsExactly("name", "email");
    }
}
