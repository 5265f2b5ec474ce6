package dev.registrar.http;

import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.StudentName;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Instant;
import org.hibernate.validator.constraintvalidation.HibernateConstraintValidatorContext;
import org.jspecify.annotations.Nullable;

/** Validates a field by making a value of the domain from it. The error of that value is the error of the field. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = Fits.Validator.class)
@interface Fits {
    Value value();

    String message() default "";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** The value that is made of a field. */
    enum Value {
        COURSE_TITLE,
        STUDENT_NAME,
        EMAIL_ADDRESS,
        END_OF_ENROLLMENT_WINDOW;

        private Object of(Object field) {
            return switch (this) {
                case COURSE_TITLE -> new CourseTitle((String) field);
                case STUDENT_NAME -> new StudentName((String) field);
                case EMAIL_ADDRESS -> new EmailAddress((String) field);
                case END_OF_ENROLLMENT_WINDOW -> EnrollmentWindow.end((Instant) field);
            };
        }
    }

    /** Makes the value and discards it. */
    final class Validator implements ConstraintValidator<Fits, Object> {
        private Value value = Value.COURSE_TITLE;

        @Override
        public void initialize(Fits annotation) {
            value = annotation.value();
        }

        /* The error may repeat client input, so it is a message parameter: parameters are not interpreted. */
        @Override
        public boolean isValid(@Nullable Object field, ConstraintValidatorContext context) {
            try {
                return field == null || value.of(field) != null;
            } catch (IllegalArgumentException refused) {
                context.disableDefaultConstraintViolation();
                context.unwrap(HibernateConstraintValidatorContext.class)
                        .addMessageParameter("error", String.valueOf(refused.getMessage()))
                        .buildConstraintViolationWithTemplate("{error}")
                        .addConstraintViolation();
                return false;
            }
        }
    }
}
