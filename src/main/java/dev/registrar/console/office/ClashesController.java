package dev.registrar.console.office;

import dev.registrar.catalog.Clashes;
import dev.registrar.catalog.Clashes.Clash;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.CourseId;
import dev.registrar.eventstore.Position;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The students of a course whose other courses overlap with it. */
@Controller
final class ClashesController {
    private final ConsoleReads views;
    private final OfficeReads reads;
    private final Clashes clashes;

    ClashesController(ConsoleReads views, OfficeReads reads, Clashes clashes) {
        this.views = views;
        this.reads = reads;
        this.clashes = clashes;
    }

    /** @param after the position behind which the page of the students begins */
    @GetMapping(OfficeReads.COURSES + "/{courseId}/clashes")
    String show(@PathVariable CourseId courseId, @RequestParam(defaultValue = "0") long after, Model model) {
        model.addAttribute("course", reads.course(courseId));
        Clashes.Page page = clashes.of(courseId, Position.of(Math.max(0, after)), OfficeReads.ROWS, views::search)
                .found();
        model.addAttribute("clashes", page);
        model.addAttribute("first", after < 1);
        model.addAttribute("names", reads.names(page.students().stream().map(Clash::studentId)));
        model.addAttribute(
                "described", reads.courses(page.students().stream().flatMap(each -> each.courses().stream())));
        return "console/office/clashes";
    }
}
