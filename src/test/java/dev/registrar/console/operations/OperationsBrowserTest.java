package dev.registrar.console.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.browser.Look;
import dev.registrar.http.ServiceTest;
import dev.registrar.projection.ProjectionAdministration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** An operator at a browser: pauses, resumes and rebuilds a view, and looks at the store and at contention. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationsBrowserTest {
    @AutoClose
    private final ConsoleBrowser browser;

    private final Api api;
    private final ProjectionAdministration administration;

    OperationsBrowserTest(@LocalServerPort int port, @Autowired ProjectionAdministration administration) {
        this.browser = ConsoleBrowser.of(port);
        this.api = new Api(port);
        this.administration = administration;
    }

    @AfterEach
    void resume() {
        administration.resume("courses");
    }

    @Test
    void an_operator_pauses_resumes_and_rebuilds_a_view_to_the_end() {
        api.course(3);
        browser.look(Look.DESK_LIGHT).open("/console/projections").click("courses");
        browser.waitForText("Projection courses").click("Pause");
        browser.waitForText("All instances stop updating 'courses'").click("Pause");
        browser.waitForText("paused");
        api.course(3);
        browser.waitForText("1 event,");

        browser.click("Resume").waitForText("handle the 1 event").click("Resume");
        browser.waitForText("none").waitForText("running");

        browser.click("Rebuild").waitForText("A second copy of 'courses'").click("Rebuild");
        await().until(() -> administration.status("courses").rebuild().isEmpty());
        browser.waitForText("running").waitUntilGone("percent of the positions");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void the_focus_stays_where_it_is_when_a_page_refreshes_itself() {
        browser.look(Look.DESK_LIGHT).open("/console/projections/courses");
        browser.tabTo("Pause");
        browser.driver().executeScript("document.getElementById('projection').dataset.old = 'true'");

        await().until(() -> Boolean.TRUE.equals(browser.driver()
                .executeScript("return document.getElementById('projection').dataset.old === undefined")));

        assertThat(browser.focused()).isEqualTo("Pause");
    }
}
