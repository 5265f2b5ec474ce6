package dev.registrar.security.browser;

/** A page that makes the browser send a POST to another origin, and needs no preflight for it. */
enum WritingPage {
    FETCH("<script>fetch('<URL>', {method: 'POST', mode: 'no-cors'})</script>"),
    FETCH_AS_THE_PAGE_CLOSES("<script>fetch('<URL>', {method: 'POST', mode: 'no-cors', keepalive: true})</script>"),
    REQUEST_OF_SCRIPT("<script>let r = new XMLHttpRequest(); r.open('POST', '<URL>'); r.send()</script>"),
    WORKER("""
            <script>
              let code = "fetch('<URL>', {method: 'POST', mode: 'no-cors'})";
              new Worker(URL.createObjectURL(new Blob([code])));
            </script>
            """),
    BEACON("<script>navigator.sendBeacon('<URL>', 'text')</script>"),
    PING("<a id='link' href='/other' ping='<URL>'>a link</a><script>document.getElementById('link').click()</script>"),
    FORM("<form method='post' action='<URL>'></form>" + Texts.SUBMIT),
    FORM_OF_JSON_TEXT(
            "<form method='post' enctype='text/plain' action='<URL>'><input name='{\"a\": \"' value='\"}'></form>"
                    + Texts.SUBMIT),
    FORM_IN_A_NEW_WINDOW(
            "<form method='post' target='_blank' rel='noopener noreferrer' action='<URL>'></form>" + Texts.SUBMIT),
    FORM_WITHOUT_REFERRER(
            "<meta name='referrer' content='no-referrer'><form method='post' action='<URL>'></form>" + Texts.SUBMIT),
    FORM_IN_A_SANDBOX(
            "<iframe sandbox='allow-scripts allow-forms' srcdoc=\"<form method='post' action='<URL>'></form>%s\"></iframe>"
                    .formatted(Texts.SUBMIT)),
    FORM_IN_A_DATA_URL("<iframe src=\"data:text/html,<form method='post' action='<URL>'></form>%s\"></iframe>"
            .formatted(Texts.SUBMIT)),
    REDIRECTED_FORM("<form method='post' action='<REDIRECT>'></form>" + Texts.SUBMIT),
    REDIRECTED_FETCH("<script>fetch('<REDIRECT>', {method: 'POST', mode: 'no-cors'})</script>"),
    REPORT_OF_A_VIOLATED_POLICY(
            "<img src='/picture'>", "Content-Security-Policy: default-src 'none'; report-uri <URL>");

    /** Where the attacker's site has the page. */
    static final String PATH = "/page";

    private static final String REDIRECT = "/redirect";

    private static final class Texts {
        static final String SUBMIT = "<script>document.forms[0].submit()</script>";
    }

    private final String html;
    private final String field;

    WritingPage(String html) {
        this(html, "X-Robots-Tag: none");
    }

    WritingPage(String html, String field) {
        this.html = html;
        this.field = field;
    }

    /** Makes the page call this URL, and puts it on the attacker's site. */
    void put(Relay site, String url) {
        String content = html.replace("<URL>", url).replace("<REDIRECT>", REDIRECT);
        site.page(PATH, content, field.replace("<URL>", url));
        site.answer(REDIRECT, "307 Temporary Redirect", "", "Location: " + url);
        site.page("/other", "The link leads here");
    }
}
