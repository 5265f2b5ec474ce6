package dev.registrar.http.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The problem details of requests that the servlet container rejects before code of this service runs. */
@RestController
final class UnhandledErrors implements ErrorController {

    @RequestMapping("${spring.web.error.path:/error}")
    @Nullable ResponseEntity<Object> error(HttpServletRequest request, HttpServletResponse response) {
        if (response.isCommitted()) {
            // The request was refused, and then its body did not arrive: the answer to that is sent already.
            return null;
        }
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
                ? code
                : HttpStatus.NOT_FOUND.value();
        String path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String refused
                ? refused
                : request.getRequestURI();
        return Problem.response(ServerProblems.problem(status, path));
    }
}
