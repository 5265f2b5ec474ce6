package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Sort;
import dev.registrar.catalog.Current;
import dev.registrar.console.ConsoleReads;
import dev.registrar.console.Notices;
import dev.registrar.enrollment.DefineCourse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of courses, and the form that defines one. */
@Controller
final class CourseListController {
    private static final String FORM = "console/office/define";

    private final ConsoleReads reads;
    private final CoursesView courses;
    private final OfficeCommands commands;

    CourseListController(ConsoleReads reads, CoursesView courses, OfficeCommands commands) {
        this.reads = reads;
        this.courses = courses;
        this.commands = commands;
    }

    @GetMapping("/console/office")
    String start() {
        return "redirect:" + OfficePages.COURSES;
    }

    @GetMapping(OfficePages.COURSES)
    String list(
            @RequestParam(defaultValue = "") String search,
            @RequestParam(defaultValue = "") String filter,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable String id,
            Model model,
            HttpServletRequest request) {
        String text = OfficePages.search(search);
        Filter kept = filter(filter);
        CoursesView.@Nullable Cursor after =
                key == null || id == null ? null : new CoursesView.Cursor(key.replace("\0", ""), id.replace("\0", ""));
        CoursesView.Page page = reads.read(
                        request,
                        courses,
                        tables -> CoursesView.page(tables, text, kept, Sort.TITLE, after, OfficePages.ROWS))
                .found();
        Optional<CourseView> named = after == null ? named(text, request) : Optional.empty();
        model.addAttribute("search", text);
        model.addAttribute("filter", kept.name().toLowerCase(Locale.ROOT));
        model.addAttribute("courses", page.courses());
        model.addAttribute("named", named.orElse(null));
        model.addAttribute("next", page.next().orElse(null));
        model.addAttribute("first", after == null);
        return "console/office/courses";
    }

    private static Filter filter(String name) {
        return Arrays.stream(Filter.values())
                .filter(filter -> filter.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(Filter.ALL);
    }

    /* The search also finds the course whose id is the text. */
    private Optional<CourseView> named(String text, HttpServletRequest request) {
        return OfficePages.course(text)
                .flatMap(course -> reads.read(request, courses, tables -> CoursesView.find(tables, course))
                        .found())
                .map(Current::view);
    }

    @GetMapping("/console/office/define")
    String form(Model model) {
        return form(CourseForm.empty(), new Faults(), true, model);
    }

    private static String form(CourseForm typed, Faults faults, boolean isNew, Model model) {
        model.addAttribute("form", typed);
        model.addAttribute("faults", faults);
        model.addAttribute("isNew", isNew);
        return FORM;
    }

    @PostMapping("/console/office/define")
    String define(Model model, HttpServletRequest request, HttpServletResponse response, RedirectAttributes redirect) {
        CourseForm typed = CourseForm.of(request);
        Faults faults = new Faults();
        Optional<DefineCourse> command = typed.command(faults);
        if (command.isEmpty()) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            return form(typed, faults, false, model);
        }
        Optional<OfficeCommands.Refused<DefineCourse.Refused>> refused =
                commands.give(request, command.get(), Advice::after);
        if (refused.isPresent() && typed.id().isEmpty() && isTaken(refused.get())) {
            return again(typed, command.get(), model, request, response, redirect);
        }
        if (refused.isPresent()) {
            response.setStatus(HttpStatus.CONFLICT.value());
            String course = "course " + command.get().course();
            add(
                    refused.get(),
                    typed.id().isEmpty()
                            ? refused.get().sentence().replace(course, "this course")
                            : refused.get().sentence(),
                    faults);
            return form(typed, faults, false, model);
        }
        Notices.done(redirect, "Course %s is defined.".formatted(command.get().course()));
        return OfficePages.toCourse(command.get().course().value());
    }

    /* The form was sent before. It leads to its course, unless the person has changed it meanwhile. */
    private String again(
            CourseForm typed,
            DefineCourse command,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        if (commands.isDefinedAs(request, command)) {
            Notices.done(
                    redirect,
                    "Course %s is defined. The form was sent twice, and defined one course."
                            .formatted(command.course()));
            return OfficePages.toCourse(command.course().value());
        }
        Faults faults = new Faults();
        faults.add(
                "title",
                "Title",
                "This form was sent before with other content, and has defined a course. Send it again to define this"
                        + " one, too.");
        response.setStatus(HttpStatus.CONFLICT.value());
        return form(typed.withNewId(), faults, false, model);
    }

    private static boolean isTaken(OfficeCommands.Refused<DefineCourse.Refused> refused) {
        return refused.reason()
                .filter(DefineCourse.Refused.COURSE_ID_TAKEN::equals)
                .isPresent();
    }

    private static void add(OfficeCommands.Refused<DefineCourse.Refused> refused, String sentence, Faults faults) {
        boolean isAboutId = refused.reason()
                .filter(reason -> reason != DefineCourse.Refused.COURSE_ID_TAKEN)
                .isEmpty();
        if (isAboutId) {
            faults.add("id", CourseForm.ID, sentence, refused);
        } else {
            faults.add("prerequisites", CourseForm.PREREQUISITES, sentence, refused);
        }
    }
}
