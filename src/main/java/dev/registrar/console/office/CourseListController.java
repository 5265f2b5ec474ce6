package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.CoursesView.Cursor;
import dev.registrar.catalog.CoursesView.Filter;
import dev.registrar.catalog.CoursesView.Sort;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.console.ConsoleCommands.Refused;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.http.download.CatalogFiles;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The list of courses, the completion of their ids, and the form that defines one. */
@Controller
final class CourseListController {
    private static final String DEFINE = "/console/office/define";

    private final ConsoleReads views;
    private final CoursesView courses;
    private final OfficeReads reads;
    private final ConsoleCommands commands;
    private final CatalogFiles files;
    private final EventStore store;
    private final EnrollmentEventCodec codec;

    CourseListController(
            ConsoleReads views,
            CoursesView courses,
            OfficeReads reads,
            ConsoleCommands commands,
            CatalogFiles files,
            EventStore store,
            EnrollmentEventCodec codec) {
        this.views = views;
        this.courses = courses;
        this.reads = reads;
        this.commands = commands;
        this.files = files;
        this.store = store;
        this.codec = codec;
    }

    @GetMapping("/console/office")
    String start() {
        return "redirect:" + OfficeReads.COURSES;
    }

    /** The search also finds the course whose id is the text. */
    @GetMapping(OfficeReads.COURSES)
    String list(
            @RequestParam(defaultValue = "") String search,
            @RequestParam(defaultValue = "") String filter,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable String id,
            Model model) {
        String text = OfficeReads.search(search);
        Filter kept = filter(filter);
        Cursor after = key == null || id == null ? null : new Cursor(key.replace("\0", ""), id.replace("\0", ""));
        CoursesView.Page page = views.search(
                        courses, tables -> CoursesView.page(tables, text, kept, Sort.TITLE, after, OfficeReads.ROWS))
                .found();
        Optional<CourseView> named =
                after == null && text.matches(CourseId.PATTERN) ? reads.find(new CourseId(text)) : Optional.empty();
        model.addAttribute("search", text);
        model.addAttribute("filter", kept.name().toLowerCase(Locale.ROOT));
        model.addAttribute("courses", page.courses());
        model.addAttribute("named", named.orElse(null));
        model.addAttribute("next", page.next().orElse(null));
        model.addAttribute("first", after == null);
        return "console/office/courses";
    }

    /** The courses of all pages of the list, as a file for a spreadsheet. */
    @GetMapping(path = OfficeReads.COURSES, params = OfficeReads.DOWNLOAD)
    void download(
            @RequestParam(defaultValue = "") String search,
            @RequestParam(defaultValue = "") String filter,
            HttpServletResponse response)
            throws IOException {
        files.sendCourses(OfficeReads.search(search), filter(filter), Sort.TITLE, true, views, response);
    }

    private static Filter filter(String name) {
        return Arrays.stream(Filter.values())
                .filter(filter -> filter.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(Filter.ALL);
    }

    /**
     * Completes an id while a person types it: the first courses whose id or title fits.
     *
     * @param complete the name of the field
     * @param several whether the field has ids with spaces between them, of which the last one is completed
     */
    @GetMapping(path = OfficeReads.COURSES, params = "complete")
    String complete(
            @RequestParam String complete,
            @RequestParam(defaultValue = "false") boolean several,
            @RequestParam Map<String, String> fields,
            Model model) {
        String text = fields.getOrDefault(complete, "").strip();
        String before = several ? text.substring(0, text.lastIndexOf(' ') + 1) : "";
        String typed = OfficeReads.search(text.substring(before.length()));
        int most = OfficeReads.CHOICES;
        Map<String, String> choices = new LinkedHashMap<>();
        views.search(
                        courses,
                        tables -> Stream.concat(
                                        CoursesView.beginningWith(tables, typed, most).stream(),
                                        CoursesView.page(tables, typed, Filter.ALL, Sort.TITLE, null, most)
                                                .courses()
                                                .stream())
                                .limit(most)
                                .toList())
                .found()
                .forEach(course -> choices.put(before + course.id(), course.title()));
        model.addAttribute("choices", choices);
        return "console/office/fields :: choices";
    }

    @GetMapping(DEFINE)
    String empty(Model model) {
        model.addAttribute("form", CourseForm.EMPTY);
        return form(model);
    }

    private static String form(Model model) {
        model.addAttribute("newId", TimeOrderedId.next().toString());
        return "console/office/define";
    }

    @PostMapping(DEFINE)
    String define(@Valid @ModelAttribute("form") CourseForm typed, BindingResult form, Model model) {
        Optional<DefineCourse> command = form.hasErrors() ? Optional.empty() : typed.command(form);
        command.ifPresent(valid -> define(valid, typed.id() == null, form));
        return command.isPresent() && !form.hasErrors()
                ? "redirect:%s/%s".formatted(OfficeReads.COURSES, command.get().course())
                : form(model);
    }

    /* A form that was sent before leads to its course, unless the person has changed it meanwhile. */
    private void define(DefineCourse command, boolean hasNewId, BindingResult form) {
        String defined = "Course %s is defined.".formatted(command.course());
        Optional<Refused> refused = commands.give(() -> command);
        if (refused.isEmpty()) {
            commands.done(defined);
            return;
        }
        boolean isTaken = refused.get().code().equals(DefineCourse.Refused.COURSE_ID_TAKEN.code());
        if (!isTaken || !hasNewId) {
            ConsoleCommands.reject(form, isTaken ? "id" : "prerequisites", refused.get());
        } else if (isDefinedAs(command)) {
            commands.done(defined + " The form was sent twice, and defined one course.");
        } else {
            ConsoleCommands.reject(form, "title", new Refused("sent-before", ""));
        }
    }

    private boolean isDefinedAs(DefineCourse command) {
        Optional<SequencedEvent> definition = store.last(Query.of(EnrollmentEventCodec.types(CourseDefined.class)
                .tagged(command.course().tag().value())));
        definition.ifPresent(event -> views.nextPageWaitsFor(event.position()));
        return definition
                .map(event -> codec.decode(event.event()))
                .filter(command.definition()::equals)
                .isPresent();
    }
}
