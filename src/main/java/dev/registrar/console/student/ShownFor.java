package dev.registrar.console.student;

import dev.registrar.console.Visitor;
import dev.registrar.console.Visitors;
import dev.registrar.enrollment.StudentId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * A page that was made for one student receives no part that is about another one: if the visitor has become another
 * student meanwhile, in another tab, the browser loads the whole page again. The layout puts the header on each request
 * of the page's script.
 */
@Configuration(proxyBeanMethods = false)
class ShownFor implements WebMvcConfigurer, HandlerInterceptor {
    /** The id of the student for whom the page was made; empty if for none. */
    static final String HEADER = "Registrar-Shown-For";

    private static final String LOAD_AGAIN = "HX-Refresh";

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns(ShownCourses.PATH, ShownCourses.PATH + "/*", StudentPages.OWN);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String shownFor = request.getHeader(HEADER);
        if (shownFor == null || shownFor.equals(student(request))) {
            return true;
        }
        response.setHeader(LOAD_AGAIN, "true");
        response.setStatus(HttpStatus.NO_CONTENT.value());
        return false;
    }

    private static String student(HttpServletRequest request) {
        @Nullable StudentId student = Visitors.current(request).map(Visitor::student).orElse(null);
        return student == null ? "" : student.value();
    }
}
