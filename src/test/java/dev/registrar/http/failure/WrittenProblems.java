package dev.registrar.http.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.admission.HttpSettings;
import dev.registrar.security.RefusalLog;
import java.util.List;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes the problem details of a filter without the whole service. */
public final class WrittenProblems {
    private WrittenProblems() {}

    public static HandlerExceptionResolver resolver(HttpSettings settings) {
        StaticApplicationContext context = new StaticApplicationContext();
        context.registerBean(Problems.class, () -> new Problems(settings, new RefusalLog()));
        context.refresh();
        ExceptionHandlerExceptionResolver resolver = new ExceptionHandlerExceptionResolver();
        resolver.setApplicationContext(context);
        resolver.setMessageConverters(List.of(new JacksonJsonHttpMessageConverter()));
        resolver.afterPropertiesSet();
        return resolver;
    }

    public static String detail(MockHttpServletResponse response) {
        return JsonMapper.shared()
                .readTree(response.getContentAsByteArray())
                .path("detail")
                .asString();
    }

    /** Asserts a problem (RFC 9457) with this status and code. */
    public static void expectProblem(MockHttpServletResponse response, int status, String code) {
        assertThat(response.getStatus()).isEqualTo(status);
        assertThat(response.getContentType()).isEqualTo("application/problem+json");
        JsonNode problem = JsonMapper.shared().readTree(response.getContentAsByteArray());
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("code").asString()).isEqualTo(code);
    }
}
