package dev.registrar.console.office;

import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.console.ConsoleReads;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Completes an id while a person types it into a field: the first students or courses whose id, name or title fits. The
 * parameter {@code complete} names the field.
 */
@Controller
final class IdChoices {
    private static final int MOST = 20;

    private final ConsoleReads reads;
    private final StudentsView students;
    private final CoursesView courses;

    IdChoices(ConsoleReads reads, StudentsView students, CoursesView courses) {
        this.reads = reads;
        this.students = students;
        this.courses = courses;
    }

    @GetMapping(path = OfficePages.STUDENTS, params = "complete")
    String students(@RequestParam String complete, Model model, HttpServletRequest request) {
        String typed = OfficePages.search(Typed.text(request, complete));
        Map<String, String> choices = new LinkedHashMap<>();
        reads
                .read(
                        request,
                        students,
                        tables -> Stream.concat(
                                        StudentsView.beginningWith(tables, typed, MOST).stream(),
                                        StudentsView.page(tables, typed, null, MOST).students().stream())
                                .toList())
                .found()
                .stream()
                .limit(MOST)
                .forEach(student -> choices.put(student.id(), student.name()));
        return shown(choices, model);
    }

    /** @param several whether the field has ids with spaces between them, of which the last one is completed */
    @GetMapping(path = OfficePages.COURSES, params = "complete")
    String courses(
            @RequestParam String complete,
            @RequestParam(defaultValue = "false") boolean several,
            Model model,
            HttpServletRequest request) {
        String text = Typed.text(request, complete);
        int last = several ? text.lastIndexOf(' ') + 1 : 0;
        String typed = OfficePages.search(text.substring(last));
        Map<String, String> choices = new LinkedHashMap<>();
        reads
                .read(
                        request,
                        courses,
                        tables -> Stream.concat(
                                        CoursesView.beginningWith(tables, typed, MOST).stream(),
                                        CoursesView.page(
                                                tables,
                                                typed,
                                                CoursesView.Filter.ALL,
                                                CoursesView.Sort.TITLE,
                                                null,
                                                MOST)
                                                .courses()
                                                .stream())
                                .toList())
                .found()
                .stream()
                .limit(MOST)
                .forEach(course -> choices.put(text.substring(0, last) + course.id(), course.title()));
        return shown(choices, model);
    }

    private static String shown(Map<String, String> choices, Model model) {
        model.addAttribute("choices", choices);
        return "console/office/fields :: choices";
    }
}
