package dev.registrar.console.office;

import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.catalog.StudentsView.Cursor;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EmailFacts;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.TimeOrderedId;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSet;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The list of students, the completion of their ids, and the form that registers one. */
@Controller
final class StudentListController {
    private static final String REGISTER = "/console/office/register";

    private final ConsoleReads views;
    private final StudentsView students;
    private final OfficeReads reads;
    private final ConsoleCommands commands;
    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final EnrollmentSettings settings;

    StudentListController(
            ConsoleReads views,
            StudentsView students,
            OfficeReads reads,
            ConsoleCommands commands,
            EventStore store,
            EnrollmentEventCodec codec,
            EnrollmentSettings settings) {
        this.views = views;
        this.students = students;
        this.reads = reads;
        this.commands = commands;
        this.store = store;
        this.codec = codec;
        this.settings = settings;
    }

    /** The search also finds the student whose id or e-mail address is the text. */
    @GetMapping(OfficeReads.STUDENTS)
    String list(
            @RequestParam(defaultValue = "") String search,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable String id,
            Model model) {
        String text = OfficeReads.search(search);
        Cursor after = key == null || id == null ? null : new Cursor(key.replace("\0", ""), id.replace("\0", ""));
        StudentsView.Page page = views.search(
                        students, tables -> StudentsView.page(tables, text, after, OfficeReads.ROWS))
                .found();
        model.addAttribute("search", text);
        model.addAttribute("students", page.students());
        model.addAttribute("named", after == null ? named(text).orElse(null) : null);
        model.addAttribute("next", page.next().orElse(null));
        model.addAttribute("first", after == null);
        return "console/office/students";
    }

    private Optional<StudentView> named(String text) {
        if (text.matches(EmailAddress.PATTERN)) {
            return studentWith(new EmailAddress(text)).flatMap(reads::find);
        }
        return text.matches(StudentId.PATTERN) ? reads.find(new StudentId(text)) : Optional.empty();
    }

    /* The tags of the events have the address in the form in which it is unique, which no view has. */
    private Optional<StudentId> studentWith(EmailAddress address) {
        Projection<PSet<StudentId>> students = EmailFacts.of(address).decodedBy(codec);
        return store.project(students).state(students).stream().findFirst();
    }

    /**
     * Completes an id while a person types it: the first students whose id or name fits.
     *
     * @param complete the name of the field
     */
    @GetMapping(path = OfficeReads.STUDENTS, params = "complete")
    String complete(@RequestParam String complete, @RequestParam Map<String, String> fields, Model model) {
        String typed = OfficeReads.search(fields.getOrDefault(complete, ""));
        int most = OfficeReads.CHOICES;
        Map<String, String> choices = new LinkedHashMap<>();
        views.search(
                        students,
                        tables -> Stream.concat(
                                        StudentsView.beginningWith(tables, typed, most).stream(),
                                        StudentsView.page(tables, typed, null, most).students().stream())
                                .limit(most)
                                .toList())
                .found()
                .forEach(student -> choices.put(student.id(), student.name()));
        model.addAttribute("choices", choices);
        return "console/office/fields :: choices";
    }

    record StudentForm(
            @Nullable StudentId id,
            @NotNull StudentName name,
            @NotNull EmailAddress email,
            @Nullable Tier tier) {
        /** The form before anything is typed. */
        @SuppressWarnings("NullAway")
        static final StudentForm EMPTY = new StudentForm(null, null, null, null);
    }

    @GetMapping(REGISTER)
    String empty(Model model) {
        model.addAttribute("form", StudentForm.EMPTY);
        return form(model);
    }

    private String form(Model model) {
        model.addAttribute("tiers", Tier.values());
        model.addAttribute("usualCourses", settings.coursesPerStudent());
        return "console/office/register";
    }

    @PostMapping(REGISTER)
    String register(@Valid @ModelAttribute("form") StudentForm typed, BindingResult form, Model model) {
        if (form.hasErrors()) {
            return form(model);
        }
        StudentId student = typed.id() != null
                ? typed.id()
                : new StudentId(TimeOrderedId.next().toString());
        commands.give(() -> new RegisterStudent(student, typed.name(), typed.email()))
                .ifPresent(refused -> ConsoleCommands.reject(
                        form,
                        refused.code().equals(RegisterStudent.Refused.EMAIL_TAKEN.code()) ? "email" : "id",
                        refused));
        if (form.hasErrors()) {
            return form(model);
        }
        String registered = "Student %s is registered.".formatted(student);
        if (typed.tier() == null) {
            commands.done(registered);
        } else {
            commands.give(
                    new ChangeTier(student, typed.tier()),
                    registered,
                    "Student %s is registered, but has no tier yet. ".formatted(student));
        }
        return "redirect:%s/%s".formatted(OfficeReads.STUDENTS, student);
    }
}
