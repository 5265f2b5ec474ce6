package dev.registrar.console;

import dev.registrar.Api;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.util.HtmlUtils;

/**
 * A person at a browser without scripts: keeps cookies, follows redirects, and sends forms with the token of the page
 * that has them. Not for several threads.
 */
public final class ConsoleClient {
    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");
    private static final Pattern TAG = Pattern.compile("<(script|style).*?</\\1>|<[^>]*>", Pattern.DOTALL);

    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .cookieHandler(cookies)
            .followRedirects(Redirect.NORMAL)
            .build();
    private final URI base;
    private Runnable beforePage = () -> {};

    public ConsoleClient(int port) {
        this.base = URI.create("http://127.0.0.1:" + port);
    }

    /** Opens pages when the views contain what the API's client has written. */
    public ConsoleClient after(Api api) {
        beforePage = api::awaitViews;
        return this;
    }

    /** A page. */
    public record Page(int status, String path, String html) {

        /** The text without tags and with single spaces. A line may break inside a word. */
        public String text() {
            return HtmlUtils.htmlUnescape(TAG.matcher(html.replace("<wbr>", "")).replaceAll(" "))
                    .replaceAll("\\s+", " ")
                    .strip();
        }

        /**
         * This page.
         *
         * @throws AssertionError if the status is another one
         */
        public Page expect(int expected) {
            if (status != expected) {
                throw new AssertionError("%s answered %s: %s".formatted(path, status, text()));
            }
            return this;
        }
    }

    /** Opens a page; {@code headers} are names and values in turn. */
    public Page open(String path, String... headers) {
        beforePage.run();
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    /**
     * Sends a form of a page, and follows the redirect.
     *
     * @param page with the form, whose token is sent
     * @param fields names and values in turn
     */
    public Page submit(Page page, String action, String... fields) {
        Matcher token = CSRF.matcher(page.html());
        if (!token.find()) {
            throw new AssertionError("%s has no form with a token".formatted(page.path()));
        }
        return post(action, form("_csrf", HtmlUtils.htmlUnescape(token.group(1))) + "&" + form(fields));
    }

    /** Opens a page, and sends a form of it. */
    public Page submit(String path, String action, String... fields) {
        return submit(open(path).expect(200), action, fields);
    }

    /** Sends a form as it is, without a token unless the body has one. */
    public Page post(String action, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(action))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    /** The body of a form: names and values in turn. */
    public static String form(String... fields) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            body.append(i == 0 ? "" : "&")
                    .append(URLEncoder.encode(fields[i], StandardCharsets.UTF_8))
                    .append('=')
                    .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return body.toString();
    }

    /** Forgets the session and every choice, as if the browser had been closed. */
    public void forget() {
        cookies.getCookieStore().removeAll();
    }

    /** Keeps a cookie as if the service had set it. */
    public void keep(String name, String value) {
        HttpCookie cookie = new HttpCookie(name, value);
        cookie.setPath("/");
        cookie.setVersion(0);
        cookies.getCookieStore().add(base, cookie);
    }

    private Page send(HttpRequest request) {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            return new Page(answer.statusCode(), answer.uri().getPath(), answer.body());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
