package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.SelfSigned;
import dev.registrar.console.ConsoleClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.web.util.HtmlUtils;

/** A browser that keeps cookies and follows no redirect, so that a test sees each answer. */
public final class TestBrowser {
    public static final String LOGIN = "/oauth2/authorization/registrar";
    public static final String CALLBACK = "/login/oauth2/code/registrar";
    public static final String SESSION = "registrar-session";

    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" (?:value|content)=\"([^\"]+)\"");

    private final CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    private final HttpClient client;
    private final URI base;

    public TestBrowser(int port) {
        this(URI.create("http://127.0.0.1:" + port), connections());
    }

    private TestBrowser(URI base, HttpClient.Builder connections) {
        this.base = base;
        this.client = connections.cookieHandler(cookies).build();
    }

    /** A browser of a service with this certificate. */
    public static TestBrowser encrypted(String host, int port, SelfSigned certificate) {
        try {
            return new TestBrowser(
                    URI.create("https://%s:%s".formatted(host, port)),
                    connections().sslContext(certificate.trusted()));
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static HttpClient.Builder connections() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    }

    /** As a person opens a page. */
    public HttpResponse<String> open(String path, String... headers) {
        return text(request(path).header("Accept", "text/html").GET(), headers);
    }

    /** As a page sends a form; the token is one of the fields. */
    public HttpResponse<String> submit(String path, String... fields) {
        return post(path, ConsoleClient.form(fields), "Origin", base.toString(), "Sec-Fetch-Site", "same-origin");
    }

    /** A form with further headers, or none. */
    public HttpResponse<String> post(String path, String form, String... headers) {
        return text(
                request(path)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form)),
                headers);
    }

    /** An answer whose body may have no end. */
    public HttpResponse<InputStream> stream(String method, String path, String form) {
        HttpRequest.Builder request = request(path);
        if (method.equals("POST")) {
            request.header("Content-Type", "application/x-www-form-urlencoded");
        }
        request.method(method, method.equals("POST") ? BodyPublishers.ofString(form) : BodyPublishers.noBody());
        try {
            return client.send(request.build(), BodyHandlers.ofInputStream());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** The token in a header Authorization. */
    static String token(String[] header) {
        return header[1].replaceFirst("^Bearer ", "");
    }

    /** Logs in as the caller of an access token. */
    public HttpResponse<String> login(String accessToken) {
        return open(callback(accessToken));
    }

    /** Begins a login at {@link TestIssuer}, and returns the address to which the issuer leads the browser back. */
    public String callback(String accessToken) {
        String issuer = location(open(LOGIN));
        assertThat(issuer).startsWith(TestLogins.AUTHORIZE + "?");
        Map<String, String> query = TestLogins.fields(issuer.substring(issuer.indexOf('?') + 1));
        assertThat(query).containsEntry("code_challenge_method", "S256");
        String code =
                TestLogins.code(accessToken, query.getOrDefault("nonce", ""), query.getOrDefault("code_challenge", ""));
        return CALLBACK + "?" + ConsoleClient.form("code", code, "state", query.getOrDefault("state", ""));
    }

    /** Where a redirect leads. */
    public static String location(HttpResponse<?> answer) {
        assertThat(answer.statusCode()).isBetween(300, 399);
        return answer.headers().firstValue("Location").orElseThrow();
    }

    /** The token against forged requests in a page. */
    public static String csrf(HttpResponse<String> page) {
        return findCsrf(page).orElseThrow(() -> new AssertionError("No token in " + page.body()));
    }

    public static Optional<String> findCsrf(HttpResponse<String> page) {
        Matcher found = CSRF.matcher(page.body());
        return found.find() ? Optional.of(HtmlUtils.htmlUnescape(found.group(1))) : Optional.empty();
    }

    /** The value of a cookie. */
    public Optional<String> cookie(String name) {
        return cookies.getCookieStore().getCookies().stream()
                .filter(cookie -> cookie.getName().equals(name))
                .map(HttpCookie::getValue)
                .findFirst();
    }

    /** Sets a cookie for all paths. */
    public void setCookie(String name, String value) {
        HttpCookie cookie = new HttpCookie(name, value);
        cookie.setDomain(base.getHost());
        cookie.setPath("/");
        cookie.setVersion(0);
        cookies.getCookieStore().add(base, cookie);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private HttpResponse<String> text(HttpRequest.Builder request, String... headers) {
        try {
            return client.send(
                    (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
