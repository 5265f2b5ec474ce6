package dev.registrar.security.session;

import dev.registrar.security.Caller;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.web.util.WebUtils;

/**
 * A cookie with a digest of the person who logged in last at this browser. It gives no access. It outlives the session,
 * so that the input of one person is not shown to the next one at the same browser.
 */
final class KnownPerson {
    private static final String COOKIE = "registrar-person";
    private static final int DIGEST_BYTES = 16;
    private static final int MAX_LENGTH = 2 * DIGEST_BYTES;

    private KnownPerson() {}

    static void remember(Caller caller, HttpServletRequest request, HttpServletResponse response) {
        ResponseCookie cookie = ResponseCookie.from(COOKIE, digest(caller))
                .path("/")
                .httpOnly(true)
                .sameSite("Lax")
                .secure(request.isSecure())
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }

    /** The digest of the person; null if the browser sent none. */
    static @Nullable String of(HttpServletRequest request) {
        Cookie cookie = WebUtils.getCookie(request, COOKIE);
        return cookie == null || cookie.getValue().length() > MAX_LENGTH ? null : cookie.getValue();
    }

    static String digest(Caller caller) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(caller.issuer().getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            byte[] whole = digest.digest(caller.subject().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
