package dev.registrar.console.office;

/** A link to the page on which a person can do what a form needs first. Templates call the public methods. */
enum Link {
    COURSES(OfficePages.COURSES, "Search for a course"),
    STUDENTS(OfficePages.STUDENTS, "Search for a student"),
    DEFINE("/console/office/define", "Define a course"),
    REGISTER("/console/office/register", "Register a student");

    private final String path;
    private final String text;

    Link(String path, String text) {
        this.path = path;
        this.text = text;
    }

    public String path() {
        return path;
    }

    public String text() {
        return text;
    }
}
