package dev.registrar.security.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.ServiceTest;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A browser logs in at the form, and the console gets its tokens with the code. */
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = "registrar.demo-login=true")
class LoginPageTest {
    private static final Pattern FORGERY_TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");
    private static final String VERIFIER = "v".repeat(43);

    private final String url;
    private final String callback;
    private final DemoLogin login;
    private final HttpClient browser = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    @Autowired
    LoginPageTest(@LocalServerPort int port, DemoLogin login) {
        this.url = "http://127.0.0.1:" + port;
        this.callback = url + "/login/oauth2/code/registrar";
        this.login = login;
    }

    private HttpResponse<String> get(String uri, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url).resolve(uri));
        return browser.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, Map<String, String> form, String... headers)
            throws IOException, InterruptedException {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
        return browser.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private String authorize(String redirect) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(VERIFIER.getBytes(US_ASCII));
        return "/oauth2/authorize?response_type=code&client_id=console&scope=openid&state=s"
                + "&code_challenge_method=S256&code_challenge="
                + Base64.getUrlEncoder().withoutPadding().encodeToString(digest)
                + "&redirect_uri=" + URLEncoder.encode(redirect, UTF_8);
    }

    private static String location(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(302);
        return answer.headers().firstValue("Location").orElseThrow();
    }

    private String forgeryToken() throws IOException, InterruptedException {
        HttpResponse<String> page = get("/login");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("form-action 'self'", "default-src 'none'");
        Matcher found = FORGERY_TOKEN.matcher(page.body());
        assertThat(found.find()).as(page.body()).isTrue();
        return found.group(1);
    }

    @Test
    void a_login_at_the_form_gives_the_console_tokens_of_the_actor() throws Exception {
        assertThat(location(get(authorize(callback), "Accept", "text/html"))).endsWith("/login");
        Map<String, String> form = Map.of("username", "student", "password", login.password(), "_csrf", forgeryToken());
        String again = location(post("/login", form));
        assertThat(again).contains("/oauth2/authorize?");
        String redirected = location(get(again, "Accept", "text/html"));
        assertThat(redirected).startsWith(callback + "?code=").contains("state=s");

        String code = redirected.replaceFirst(".*[?]code=([^&]+).*", "$1");
        String credentials = Base64.getEncoder().encodeToString(("console:" + login.password()).getBytes(US_ASCII));
        HttpResponse<String> answer = post(
                "/oauth2/token",
                Map.of(
                        "grant_type", "authorization_code",
                        "code", code,
                        "redirect_uri", callback,
                        "code_verifier", VERIFIER),
                "Authorization",
                "Basic " + credentials);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode tokens = JsonMapper.shared().readTree(answer.body());
        String access = tokens.path("access_token").asString();
        assertThat(get("/api/courses", "Authorization", "Bearer " + access).statusCode())
                .isEqualTo(200);
        assertThat(get("/api/students", "Authorization", "Bearer " + access).statusCode())
                .isEqualTo(403);
        String id = tokens.path("id_token").asString();
        assertThat(claims(id).path("roles").get(0).asString()).isEqualTo("student");
        assertThat(get("/api/courses", "Authorization", "Bearer " + id).statusCode())
                .as("an ID token is for the console")
                .isEqualTo(401);
    }

    private static JsonNode claims(String token) {
        return JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]));
    }

    @Test
    void a_login_that_another_page_sends_is_refused() throws Exception {
        Map<String, String> forged = Map.of("username", "student", "password", login.password());
        assertThat(post("/login", forged).statusCode()).isEqualTo(403);

        Map<String, String> wrong = Map.of("username", "student", "password", "wrong", "_csrf", forgeryToken());
        assertThat(location(post("/login", wrong))).endsWith("/login?error");
    }

    @Test
    void a_code_goes_to_a_client_on_this_machine_only() throws Exception {
        get("/login");
        String elsewhere = authorize("http://attacker.example/login/oauth2/code/registrar");

        assertThat(get(elsewhere, "Accept", "text/html").statusCode()).isEqualTo(400);
        assertThat(location(get(authorize(callback), "Accept", "text/html"))).endsWith("/login");
    }

    /* The session of the form does not replace the token: a page could use it to forge requests. */
    @Test
    void the_session_of_the_form_gives_no_access_to_the_service() throws Exception {
        Map<String, String> form = Map.of("username", "office", "password", login.password(), "_csrf", forgeryToken());
        location(post("/login", form));

        assertThat(get("/api/students").statusCode()).isEqualTo(401);
        assertThat(get("/actuator/metrics").statusCode()).isEqualTo(401);
    }
}
