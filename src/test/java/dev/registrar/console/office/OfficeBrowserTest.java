package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.http.ServiceTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A day at the course office, in a browser. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OfficeBrowserTest {
    @AutoClose
    private final ConsoleBrowser browser;

    OfficeBrowserTest(@LocalServerPort int port) {
        this.browser = ConsoleBrowser.of(port);
        browser.be("Course office", "");
    }

    @Test
    void the_office_defines_a_course_registers_and_enrolls_a_student_and_closes() {
        String course = Api.newId("course");
        String student = Api.newId("student");

        browser.open("/console/office/courses").click("Define a course");
        browser.fill("Title", "Botany").fill("Seats", "none").fill("Id of the course", course);
        browser.click("Define the course").waitForText("Type a whole number of seats");
        assertThat(browser.driver().switchTo().activeElement().getDomAttribute("id"))
                .isEqualTo("faults");
        assertThat(browser.violations()).isEmpty();
        browser.fill("Seats", "2").click("Define the course").waitForText("is defined.");

        browser.open("/console/office/students").click("Register a student");
        browser.fill("Name", "Bea")
                .fill("E-mail address", student + "@example.org")
                .fill("Id of the student", student);
        browser.click("Register the student").waitForText("is registered.");

        browser.open("/console/office/courses/" + course).fill("Id of the student", student);
        await().until(() -> browser.count("#student-choices option[value='%s']".formatted(student)) == 1);
        browser.click("Enroll").waitForText("1 of 2 seats are taken");
        browser.click("Close the course…").waitForText("This cannot be undone.");
        browser.click("Close the course").waitForText("is closed.");
        browser.click("History").waitForText("The course was closed.");
        assertThat(browser.text())
                .contains("Student Bea (%s) was enrolled.".formatted(student), "“\u2068Botany\u2069”");
    }

    @Test
    void the_office_imports_a_file_corrects_a_line_and_imports_it_again(@TempDir Path folder) throws IOException {
        String course = Api.newId("course");
        Path file = Files.writeString(
                folder.resolve("courses.csv"), "id,title,capacity\n%s,Zoology,few\n".formatted(course));

        browser.open("/console/office/import").screenshot("office-import");
        browser.driver().findElement(By.id("file")).sendKeys(file.toString());
        browser.click("Import the file").waitForText("The file has errors, and no course was defined.");
        assertThat(browser.text()).contains("is not a number of seats: 'few'");
        assertThat(browser.violations()).isEmpty();
        browser.screenshot("office-imported");

        browser.click("Import another file")
                .fill("Lines", "id,title,capacity\n%s,Zoology,3\n".formatted(course))
                .click("Import the lines")
                .waitForText("All courses of the file are defined.");
        browser.open("/console/office/courses/" + course).waitForText("0 of 3 seats are taken");
    }

    @Test
    void the_number_of_results_of_a_search_is_read_aloud() {
        String id = Api.newId("none");

        browser.open("/console/office/courses").fill("Title contains", id);
        assertSpoken("No course found with %s.".formatted(id));
        browser.open("/console/office/students").fill("Name begins with", id);
        assertSpoken("No student found with %s.".formatted(id));
    }

    /* A screen reader reads what this element contains. */
    private void assertSpoken(String sentence) {
        await().untilAsserted(() -> assertThat(browser.driver()
                        .findElement(By.cssSelector("body > p[role=status]"))
                        .getAttribute("textContent"))
                .isEqualTo(sentence));
    }

    @Test
    void the_form_of_a_course_begins_with_the_zone_of_the_reader() {
        browser.driver().executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", "Pacific/Auckland"));
        try {
            browser.open("/console/office/define");

            assertThat(browser.driver().findElement(By.id("zone")).getDomProperty("value"))
                    .isEqualTo("Pacific/Auckland");
        } finally {
            // An empty id is that of the machine.
            browser.driver().executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", ""));
        }
    }
}
