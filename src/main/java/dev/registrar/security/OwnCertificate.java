package dev.registrar.security;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerSslBundle;
import org.springframework.core.env.Environment;

/**
 * Accepts the certificates of this service and no other. The name in the certificate is not compared: the service calls
 * itself by its address.
 */
public final class OwnCertificate extends X509ExtendedTrustManager {
    private final Supplier<SslBundle> own;

    private OwnCertificate(Supplier<SslBundle> own) {
        this.own = own;
    }

    /** The TLS of the service's port; empty if it has none. */
    public static Optional<Ssl> tls(Environment environment) {
        return tls(environment, "server.ssl");
    }

    /** The TLS with these settings, such as {@code server.ssl}; empty if there are none. */
    public static Optional<Ssl> tls(Environment environment, String settings) {
        return Optional.ofNullable(
                        Binder.get(environment).bind(settings, Ssl.class).orElse(null))
                .filter(tls -> tls.isEnabled());
    }

    /** A context of TLS for clients of the service's port, in which its certificate is accepted, also a later one. */
    public static SSLContext accepted(Ssl own, SslBundles bundles) {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, new TrustManager[] {new OwnCertificate(() -> WebServerSslBundle.get(own, bundles))}, null);
            return tls;
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("There is no TLS", failure);
        }
    }

    private static Set<Certificate> certificates(@Nullable KeyStore store) throws KeyStoreException {
        Set<Certificate> certificates = new HashSet<>();
        if (store != null) {
            for (String alias : Collections.list(store.aliases())) {
                certificates.add(store.getCertificate(alias));
            }
        }
        return certificates;
    }

    /* The threads of an HTTP client do not have the class loader that Spring needs to read the files of a store. */
    private @Nullable KeyStore keyStore() {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(OwnCertificate.class.getClassLoader());
        try {
            return own.get().getStores().getKeyStore();
        } finally {
            thread.setContextClassLoader(loader);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        try {
            if (certificates(keyStore()).contains(chain[0])) {
                return;
            }
        } catch (KeyStoreException unreadable) {
            throw new CertificateException("The certificate of the service cannot be read", unreadable);
        }
        throw new CertificateException(
                "Not the certificate of this service: %s".formatted(chain[0].getSubjectX500Principal()));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String keyExchange) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType, @Nullable SSLEngine engine)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType, @Nullable Socket socket)
            throws CertificateException {
        throw noClients();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String keyType) throws CertificateException {
        throw noClients();
    }

    private static CertificateException noClients() {
        return new CertificateException("Only servers are checked");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
