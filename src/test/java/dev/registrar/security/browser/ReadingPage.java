package dev.registrar.security.browser;

import static org.awaitility.Awaitility.await;

import dev.registrar.browser.Browser;

/** A page that tries to read an answer, and puts what it got into its title. */
enum ReadingPage {
    FETCH("""
            fetch('<URL>')
                .then(answer => answer.text())
                .then(text => report('read: ' + text), failure => report('unreadable: ' + failure));
            """),
    REQUEST_OF_SCRIPT("""
            let request = new XMLHttpRequest();
            request.onload = () => report('read: ' + request.responseText);
            request.onerror = () => report('unreadable');
            request.open('GET', '<URL>');
            request.send();
            """),
    /** Of live events: any event of this type. */
    EVENT_SOURCE("""
            let source = new EventSource('<URL>');
            source.addEventListener('StudentRegistered', event => { source.close(); report('read: ' + event.data); });
            source.onerror = () => { source.close(); report('unreadable'); };
            """),
    POST_OF_JSON("""
            fetch('<URL>', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '<JSON>'})
                .then(answer => report('read: ' + answer.status), failure => report('unreadable: ' + failure));
            """);

    private static final String PATH = "/reading";

    private final String script;

    ReadingPage(String script) {
        this.script = script;
    }

    /**
     * Shows the page under a name of the attacker's site.
     *
     * @param url absolute, or a path for the site itself
     * @param json what the page sends, if it sends something
     * @return the page's title, as soon as it says what was read
     */
    String read(Browser browser, Relay site, String name, String url, String json) {
        String page = "<title>waiting</title><script>let report = text => document.title = text;\n%s</script>"
                .formatted(script.replace("<URL>", url).replace("<JSON>", json));
        site.page(PATH, page);
        browser.show("http://%s:%s%s".formatted(name, site.port(), PATH));
        return await().until(browser::title, title -> title.startsWith("read") || title.startsWith("unreadable"));
    }
}
