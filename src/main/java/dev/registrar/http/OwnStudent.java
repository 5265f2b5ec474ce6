package dev.registrar.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is about one student: the parameter {@code studentId}. The course office may call it for any student, a
 * student for themselves. For another student it answers a student as if that student were unknown, without looking
 * whether there is such a student.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface OwnStudent {
    /** What the answer says that there is not. */
    Missing unless() default Missing.STUDENT;

    /** What there is not, as far as the caller may know. */
    enum Missing {
        STUDENT,
        /** The student may be there, but not in the course of the parameter {@code courseId}. */
        ENROLLMENT,
        /** The student may be there, but not on the waiting list of the course of the parameter {@code courseId}. */
        PLACE
    }
}
