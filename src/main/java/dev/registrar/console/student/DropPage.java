package dev.registrar.console.student;

import dev.registrar.console.Notices;
import dev.registrar.console.Visitor;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Says what will happen, before a student drops a course. */
@Controller
final class DropPage {
    private final StudentReads reads;

    DropPage(StudentReads reads) {
        this.reads = reads;
    }

    @GetMapping(ShownCourses.PATH + "/{courseId}/drop")
    String confirm(
            @PathVariable String courseId,
            PageState page,
            Visitor visitor,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect,
            Model model) {
        StudentId student = visitor.student();
        Optional<String> mistake = page.mistake(courseId, visitor);
        String back = page.addressAfter(courseId);
        if (student == null || mistake.isPresent()) {
            mistake.ifPresent(sentence -> Notices.refused(redirect, sentence));
            return "redirect:" + back;
        }
        Optional<ShownCourse> found = reads.course(request, student, new CourseId(courseId)).courses().stream()
                .findFirst();
        if (found.isEmpty()) {
            model.addAttribute("courseId", courseId);
            response.setStatus(HttpStatus.NOT_FOUND.value());
            return "console/student/unknown-course";
        }
        ShownCourse shown = found.get();
        if (shown.enrolledSince() == null) {
            Notices.refused(redirect, Advice.notEnrolled(Words.typed(shown.title())));
            return "redirect:" + back;
        }
        model.addAttribute("shown", shown);
        model.addAttribute("student", student.value());
        model.addAttribute("fields", page.fields());
        model.addAttribute("back", back);
        return "console/student/drop";
    }
}
