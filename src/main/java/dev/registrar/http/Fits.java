package dev.registrar.http;

import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.OverrideReason;
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

/** Validates a field by constructing a domain value from it, and reports the error of that value. */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = Fits.Validator.class)
@interface Fits {
    Value value();

    String message() default "";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** The domain value that is constructed from the field. */
    enum Value {
        COURSE_TITLE,
        STUDENT_NAME,
        OVERRIDE_REASON,
        EMAIL_ADDRESS,
        END_OF_ENROLLMENT_WINDOW;

        private Object of(Object field) {
            return switch (this) {
                case COURSE_TITLE -> new CourseTitle((String) field);
                case STUDENT_NAME -> new StudentName((String) field);
                case OVERRIDE_REASON -> new OverrideReason((String) field);
                case EMAIL_ADDRESS -> new EmailAddress((String) field);
                case END_OF_ENROLLMENT_WINDOW -> EnrollmentWindow.end((Instant) field);
            };
        }
    }

    /** Constructs the value and discards it. */
    final class Validator implements ConstraintValidator<Fits, Object> {
        private Value value = Value.COURSE_TITLE;

        @Override
        public void initialize(Fits annotation) {
            value = annotation.value();
        }

        /* The error may repeat client input. It is a message parameter, because parameters are not interpolated. */
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
