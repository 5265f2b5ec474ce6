package dev.registrar;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.security.oauth2.server.authorization.autoconfigure.servlet.OAuth2AuthorizationServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An issuer of tokens: Spring's Authorization Server, on a port of its own. Machine clients get their tokens at its
 * token endpoint. It can change and withdraw its keys, and can be stopped and started again at the same address.
 */
public final class TestAuthorizationServer implements AutoCloseable {
    /** The audience of its tokens, unless a test changes it. */
    public static final String AUDIENCE = "registrar";

    /** The client of the console, and its secret. */
    public static final String CONSOLE = "console";

    public static final String CONSOLE_SECRET = "secret of console";

    /** Of every person. */
    public static final String PASSWORD = "password";

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final AtomicInteger IDS = new AtomicInteger();

    private final List<RSAKey> published = new CopyOnWriteArrayList<>();
    private final Map<String, Consumer<JwtClaimsSet.Builder>> claims = new ConcurrentHashMap<>();
    private final InMemoryRegisteredClientRepository clients = new InMemoryRegisteredClientRepository(console());
    private volatile RSAKey signing;
    private int port;
    private ConfigurableApplicationContext server;

    private TestAuthorizationServer() {
        this.signing = newKey();
        this.published.add(signing);
        this.server = start(0);
        this.port = server.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    public static TestAuthorizationServer start() {
        return new TestAuthorizationServer();
    }

    public String uri() {
        return "http://127.0.0.1:" + port;
    }

    /** The settings of a service that accepts the issuer's tokens. */
    public Map<String, String> settings() {
        return Map.of(
                "spring.security.oauth2.resourceserver.jwt.issuer-uri",
                uri(),
                "spring.security.oauth2.resourceserver.jwt.audiences",
                AUDIENCE);
    }

    /** The token of a person with these roles, and for a student with the id of their own data. */
    public String token(String subject, List<String> roles, String... student) {
        return token(builder -> {
            builder.subject(subject).claim("roles", roles);
            if (student.length > 0) {
                builder.claim("student_id", student[0]);
            }
        });
    }

    /**
     * The token that the token endpoint gives to a new client: by client credentials, with all of the scopes.
     *
     * @param change of the claims that the issuer would put into the token otherwise
     */
    public String token(Consumer<JwtClaimsSet.Builder> change, String... scopes) {
        RegisteredClient client = client("client-%s".formatted(IDS.incrementAndGet()), Set.of(scopes));
        clients.save(client);
        claims.put(client.getClientId(), change);
        HttpResponse<String> answer = requestToken(client.getClientId(), secret(client.getClientId()), scopes);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(answer.toString() + answer.body());
        }
        return json(answer).path("access_token").asString();
    }

    /** The token endpoint's answer to a client that asks for these scopes. */
    public HttpResponse<String> requestToken(String client, String secret, String... scopes) {
        String credentials = Base64.getEncoder()
                .encodeToString("%s:%s".formatted(client, secret).getBytes(UTF_8));
        String form = "grant_type=client_credentials"
                + (scopes.length == 0 ? "" : "&scope=" + URLEncoder.encode(String.join(" ", scopes), UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create(uri() + "/oauth2/token"))
                .header("Authorization", "Basic " + credentials)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build();
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Puts claims into the access tokens of the person with this name, who may log in from now on. */
    public void addPerson(String name, Consumer<JwtClaimsSet.Builder> further) {
        claims.put(name, further);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    /**
     * A token as the token endpoint would give it, which needs no running server. Unlike {@link #token}, the change may
     * also remove claims.
     */
    public String signed(Consumer<JwtClaimsSet.Builder> change) {
        return signed(signing, change);
    }

    /** A token that is signed with one of the issuer's keys of earlier. */
    public String signed(RSAKey key, Consumer<JwtClaimsSet.Builder> change) {
        Instant now = Instant.now();
        JwtClaimsSet.Builder builder = JwtClaimsSet.builder()
                .id("token-%s".formatted(IDS.incrementAndGet()))
                .issuer(uri())
                .subject("caller")
                .audience(List.of(AUDIENCE))
                .issuedAt(now)
                .notBefore(now)
                .expiresAt(now.plusSeconds(300));
        change.accept(builder);
        JwsHeader header =
                JwsHeader.with(SignatureAlgorithm.RS256).keyId(key.getKeyID()).build();
        return new NimbusJwtEncoder(new ImmutableJWKSet<>(new JWKSet(key)))
                .encode(JwtEncoderParameters.from(header, builder.build()))
                .getTokenValue();
    }

    /** The key that signs, with its private part. */
    public RSAKey key() {
        return signing;
    }

    /** Signs with a new key from now on; the keys of earlier remain published. */
    public void changeKey() {
        RSAKey key = newKey();
        published.add(key);
        signing = key;
    }

    /** Publishes only the key that signs. */
    public void withdrawOldKeys() {
        published.removeIf(key -> !key.equals(signing));
    }

    /** Closes the port: connections are refused. */
    public void stop() {
        server.close();
    }

    /** Starts again after {@link #stop}, at the same address and with the same keys. */
    public void startAgain() {
        server = start(port);
    }

    @Override
    public void close() {
        stop();
    }

    private ConfigurableApplicationContext start(int onPort) {
        SpringApplication application = new SpringApplication(Server.class);
        // Without them, the service's own settings, checks and logging do not apply.
        application.setListeners(List.of());
        application.addInitializers((ApplicationContextInitializer<GenericApplicationContext>) context ->
                context.registerBean(TestAuthorizationServer.class, () -> this, bean -> bean.setDestroyMethodName("")));
        return application.run(
                "--server.port=" + onPort, "--server.address=127.0.0.1", "--spring.main.banner-mode=off");
    }

    /* The server accepts any port of 127.0.0.1. */
    private static RegisteredClient console() {
        return RegisteredClient.withId(CONSOLE)
                .clientId(CONSOLE)
                .clientSecret("{noop}" + CONSOLE_SECRET)
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri("http://127.0.0.1/login/oauth2/code/registrar")
                .scope("openid")
                .clientSettings(ClientSettings.builder().requireProofKey(true).build())
                .build();
    }

    private static RegisteredClient client(String id, Set<String> scopes) {
        return RegisteredClient.withId(id)
                .clientId(id)
                .clientSecret("{noop}" + secret(id))
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
                .scopes(all -> all.addAll(scopes))
                .build();
    }

    /* The server refuses two clients with one secret. */
    private static String secret(String client) {
        return "secret of " + client;
    }

    private static RSAKey newKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            return new RSAKey.Builder((RSAPublicKey) pair.getPublic())
                    .privateKey((RSAPrivateKey) pair.getPrivate())
                    .keyID("key-%s".formatted(IDS.incrementAndGet()))
                    .build();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** The beans of the server. Without an annotation of Spring, so that the service's component scan ignores it. */
    @ImportAutoConfiguration({
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        SecurityAutoConfiguration.class,
        ServletWebSecurityAutoConfiguration.class,
        SecurityFilterAutoConfiguration.class,
        OAuth2AuthorizationServerAutoConfiguration.class
    })
    static final class Server {

        @Bean
        RegisteredClientRepository clients(TestAuthorizationServer issuer) {
            return issuer.clients;
        }

        /** The endpoint of the keys asks for all of them, and the encoder for one that signs. */
        @Bean
        JWKSource<SecurityContext> keys(TestAuthorizationServer issuer) {
            return (selector, context) -> selector.select(new JWKSet(List.copyOf(issuer.published)));
        }

        @Bean
        NimbusJwtEncoder encoder(TestAuthorizationServer issuer) {
            return new NimbusJwtEncoder((selector, context) -> selector.select(new JWKSet(issuer.signing)));
        }

        @Bean
        JwtDecoder decoder(JWKSource<SecurityContext> keys) {
            return NimbusJwtDecoder.withJwkSource(keys).build();
        }

        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> claims(TestAuthorizationServer issuer) {
            return context -> {
                if (!context.getTokenType().equals(OAuth2TokenType.ACCESS_TOKEN)) {
                    return;
                }
                context.getClaims()
                        .audience(List.of(AUDIENCE))
                        .claim("client_id", context.getRegisteredClient().getClientId());
                // The name of the person, or of the client that acts for itself.
                Authentication caller = Objects.requireNonNull(context.getPrincipal());
                issuer.claims.getOrDefault(caller.getName(), claims -> {}).accept(context.getClaims());
            };
        }

        @Bean
        UserDetailsService persons(TestAuthorizationServer issuer) {
            return name -> {
                if (!issuer.claims.containsKey(name)) {
                    throw new UsernameNotFoundException(name);
                }
                return User.withUsername(name).password("{noop}" + PASSWORD).build();
            };
        }
    }
}
