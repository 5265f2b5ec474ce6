package dev.registrar;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A private key with a self-signed certificate, made by the keytool of the running JDK. */
public record SelfSigned(PrivateKey key, X509Certificate certificate) {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String ALIAS = "own";
    private static final String TYPE = "PKCS12";

    /** For localhost, 127.0.0.1 and ::1. */
    public static SelfSigned create() {
        try {
            Path folder = Files.createTempDirectory("self-signed");
            Path store = folder.resolve("keys.p12");
            try {
                generate(store);
                return read(store);
            } finally {
                Files.deleteIfExists(store);
                Files.delete(folder);
            }
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void generate(Path store) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-validity", "2"));
        command.addAll(List.of("-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1,ip:::1"));
        command.addAll(List.of("-storetype", TYPE, "-storepass", new String(PASSWORD), "-keystore", store.toString()));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.onExit().join().exitValue() != 0) {
            throw new IllegalStateException(output);
        }
    }

    private static SelfSigned read(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(TYPE);
        try (InputStream stored = Files.newInputStream(store)) {
            keys.load(stored, PASSWORD);
        }
        return new SelfSigned((PrivateKey) keys.getKey(ALIAS, PASSWORD), (X509Certificate) keys.getCertificate(ALIAS));
    }

    public String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content), kind);
    }

    /** Replaces a file at once, as an operator should. */
    public static void replace(Path file, String content) throws IOException {
        Path written = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), content);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The context of a peer that presents this certificate and trusts the other. */
    public SSLContext trusting(X509Certificate other) throws IOException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance(TYPE);
        own.load(null, PASSWORD);
        own.setKeyEntry(ALIAS, key, PASSWORD, new X509Certificate[] {certificate});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        return context(keys, other);
    }

    /** The context of a client that presents no certificate, and trusts this one. */
    public SSLContext trusted() throws IOException, GeneralSecurityException {
        KeyManagerFactory none = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        none.init(null, PASSWORD);
        return context(none, certificate);
    }

    private static SSLContext context(KeyManagerFactory keys, X509Certificate trusted)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(TYPE);
        store.load(null, PASSWORD);
        store.setCertificateEntry("trusted", trusted);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), trust.getTrustManagers(), new SecureRandom());
        return tls;
    }
}
