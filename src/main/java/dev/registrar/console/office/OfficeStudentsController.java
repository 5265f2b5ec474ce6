package dev.registrar.console.office;

import dev.registrar.catalog.StudentsView;
import dev.registrar.console.ConsoleReads;
import dev.registrar.console.Notices;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.Tier;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of students, and the form that registers one. */
@Controller
final class OfficeStudentsController {
    private static final String REGISTER = "/console/office/register";

    private final ConsoleReads reads;
    private final StudentsView students;
    private final StudentFinder finder;
    private final OfficeCommands commands;
    private final EnrollmentSettings settings;

    OfficeStudentsController(
            ConsoleReads reads,
            StudentsView students,
            StudentFinder finder,
            OfficeCommands commands,
            EnrollmentSettings settings) {
        this.reads = reads;
        this.students = students;
        this.finder = finder;
        this.commands = commands;
        this.settings = settings;
    }

    @GetMapping(OfficePages.STUDENTS)
    String list(
            @RequestParam(defaultValue = "") String search,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable String id,
            Model model,
            HttpServletRequest request) {
        String text = OfficePages.search(search);
        StudentsView.@Nullable Cursor after =
                key == null || id == null ? null : new StudentsView.Cursor(key.replace("\0", ""), id.replace("\0", ""));
        StudentsView.Page page = reads.read(
                        request, students, tables -> StudentsView.page(tables, text, after, OfficePages.ROWS))
                .found();
        model.addAttribute("search", text);
        model.addAttribute("students", page.students());
        model.addAttribute("named", after == null ? finder.search(text, request).orElse(null) : null);
        model.addAttribute("next", page.next().orElse(null));
        model.addAttribute("first", after == null);
        return "console/office/students";
    }

    @GetMapping(REGISTER)
    String form(Model model) {
        return form(StudentForm.EMPTY, new Faults(), model);
    }

    private String form(StudentForm typed, Faults faults, Model model) {
        model.addAttribute("form", typed);
        model.addAttribute("faults", faults);
        model.addAttribute("tiers", Tier.values());
        model.addAttribute("usualCourses", settings.coursesPerStudent());
        return "console/office/register";
    }

    @PostMapping(REGISTER)
    String register(
            Model model, HttpServletRequest request, HttpServletResponse response, RedirectAttributes redirect) {
        StudentForm typed = StudentForm.of(request);
        Faults faults = new Faults();
        Optional<StudentForm.Commands> all = typed.commands(faults);
        if (all.isEmpty()) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            return form(typed, faults, model);
        }
        RegisterStudent register = all.get().register();
        Optional<OfficeCommands.Refused<RegisterStudent.Refused>> refused =
                commands.give(request, register, Advice::after);
        if (refused.isPresent()) {
            response.setStatus(HttpStatus.CONFLICT.value());
            add(refused.get(), faults);
            return form(typed, faults, model);
        }
        String registered = "Student %s is registered".formatted(register.student());
        all.get()
                .tier()
                .flatMap(tier -> commands.give(request, new ChangeTier(register.student(), tier), Advice::after))
                .ifPresentOrElse(
                        noTier -> Notices.refused(
                                redirect, "%s, but has no tier yet. %s".formatted(registered, noTier.sentence())),
                        () -> Notices.done(redirect, registered + "."));
        return OfficePages.toStudent(register.student().value());
    }

    private static void add(OfficeCommands.Refused<RegisterStudent.Refused> refused, Faults faults) {
        if (refused.reason().filter(RegisterStudent.Refused.EMAIL_TAKEN::equals).isPresent()) {
            faults.add("email", StudentForm.EMAIL, refused.sentence());
        } else {
            faults.add("id", StudentForm.ID, refused.sentence());
        }
    }
}
