package dev.registrar.security.session;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

/**
 * The client registrations, with what the issuer's metadata adds to them. The issuer is called at the first login,
 * since it may be down when the service starts.
 */
final class IssuerClients implements ClientRegistrationRepository {
    private final Supplier<ClientRegistrationRepository> reader;
    private final Duration pause;
    private final LongSupplier nanoTime;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable ClientRegistrationRepository known;
    private volatile @Nullable Failure failure;

    private record Failure(long at, RuntimeException cause) {}

    /**
     * The registrations.
     *
     * @param reader asks the issuer
     * @param pause the shortest time between two attempts
     * @param nanoTime as {@link System#nanoTime}
     */
    IssuerClients(Supplier<ClientRegistrationRepository> reader, Duration pause, LongSupplier nanoTime) {
        this.reader = reader;
        this.pause = pause;
        this.nanoTime = nanoTime;
    }

    /** @throws AuthenticationServiceException if the issuer does not answer */
    @Override
    public @Nullable ClientRegistration findByRegistrationId(String id) {
        ClientRegistrationRepository registrations = known;
        return (registrations == null ? read() : registrations).findByRegistrationId(id);
    }

    /* One thread at a time asks. The others do not wait, since the issuer may take long. */
    private ClientRegistrationRepository read() {
        if (!reading.tryLock()) {
            throw new AuthenticationServiceException("The issuer's metadata is being read");
        }
        try {
            ClientRegistrationRepository registrations = known;
            if (registrations == null) {
                Failure last = failure;
                if (last != null && nanoTime.getAsLong() - last.at() < pause.toNanos()) {
                    throw unavailable(last.cause());
                }
                registrations = reader.get();
                known = registrations;
            }
            return registrations;
        } catch (AuthenticationServiceException unavailable) {
            throw unavailable;
        } catch (RuntimeException cause) {
            failure = new Failure(nanoTime.getAsLong(), cause);
            throw unavailable(cause);
        } finally {
            reading.unlock();
        }
    }

    private static AuthenticationServiceException unavailable(RuntimeException cause) {
        return new AuthenticationServiceException("The issuer's metadata cannot be read", cause);
    }
}
