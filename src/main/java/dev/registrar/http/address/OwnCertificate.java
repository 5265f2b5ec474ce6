package dev.registrar.http.address;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * Accepts the certificates of this service and no other. The name in the certificate is not compared: the service calls
 * itself by its address.
 */
final class OwnCertificate extends X509ExtendedTrustManager {
    private final Set<Certificate> own;

    private OwnCertificate(Set<Certificate> own) {
        this.own = own;
    }

    /** A context of TLS for clients, in which the certificates of the bundle are accepted. */
    static SSLContext accepted(SslBundle bundle) {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(
                    null,
                    new TrustManager[] {
                        new OwnCertificate(certificates(bundle.getStores().getKeyStore()))
                    },
                    null);
            return tls;
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("The certificate of the service cannot be read", failure);
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

    private void check(X509Certificate[] chain) throws CertificateException {
        if (!own.contains(chain[0])) {
            throw new CertificateException(
                    "Not the certificate of this service: %s".formatted(chain[0].getSubjectX500Principal()));
        }
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
