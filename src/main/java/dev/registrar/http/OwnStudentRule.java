package dev.registrar.http;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import dev.registrar.http.problem.Unknown;
import dev.registrar.http.problem.UnknownToCallerException;
import dev.registrar.security.Caller;
import dev.registrar.security.Role;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.method.MethodAuthorizationDeniedHandler;
import org.springframework.security.core.Authentication;

/** Decides on calls of methods with {@link OwnStudent}. */
final class OwnStudentRule implements AuthorizationManager<MethodInvocation>, MethodAuthorizationDeniedHandler {
    /*
     * Why the answer tells a student nothing about others: it is made from the request alone. Whether the other student
     * exists, is enrolled or waits is not looked up, so neither content, headers nor time depend on it.
     */
    private static final String STUDENT = "studentId";
    private static final String COURSE = "courseId";

    /** The names of a method's parameters, since reflection copies them at each call. */
    private final Map<Method, List<String>> parameters = new ConcurrentHashMap<>();

    @Override
    public AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, MethodInvocation call) {
        Caller caller = Caller.current();
        return new AuthorizationDecision(
                caller.has(Role.COURSE_OFFICE) || (caller.has(Role.STUDENT) && isOwn(caller, call)));
    }

    private boolean isOwn(Caller caller, MethodInvocation call) {
        return student(call).value().equals(caller.student());
    }

    private StudentId student(MethodInvocation call) {
        return new StudentId(argument(call, STUDENT));
    }

    private String argument(MethodInvocation call, String name) {
        int at = parameters
                .computeIfAbsent(
                        call.getMethod(),
                        method -> Arrays.stream(method.getParameters())
                                .map(Parameter::getName)
                                .toList())
                .indexOf(name);
        if (at < 0) {
            throw new IllegalStateException("%s has no parameter %s".formatted(call.getMethod(), name));
        }
        return String.valueOf(call.getArguments()[at]);
    }

    /**
     * Answers that there is no such student, enrollment or place.
     *
     * @throws UnknownToCallerException with this answer
     * @throws AuthorizationDeniedException if the caller is no student
     */
    @Override
    public Object handleDeniedInvocation(MethodInvocation call, AuthorizationResult denied) {
        if (!Caller.current().has(Role.STUDENT)) {
            throw new AuthorizationDeniedException("Access Denied", denied);
        }
        throw new UnknownToCallerException(unknown(call, student(call)));
    }

    private Unknown unknown(MethodInvocation call, StudentId student) {
        OwnStudent rule = Objects.requireNonNull(call.getMethod().getAnnotation(OwnStudent.class));
        return switch (rule.unless()) {
            case STUDENT -> Unknown.student(student);
            case ENROLLMENT -> Unknown.enrollment(student, new CourseId(argument(call, COURSE)));
            case PLACE -> Unknown.place(student, new CourseId(argument(call, COURSE)));
        };
    }
}
