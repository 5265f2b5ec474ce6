package dev.registrar.http.admission;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.ReadinessState;

/** A service that is ready or not, as its test says. */
final class KnownReadiness implements ApplicationAvailability {
    private ReadinessState readiness = ReadinessState.ACCEPTING_TRAFFIC;

    void set(ReadinessState state) {
        readiness = state;
    }

    @Override
    public <S extends AvailabilityState> S getState(Class<S> stateType, S defaultState) {
        return stateType == ReadinessState.class ? stateType.cast(readiness) : defaultState;
    }

    @Override
    public <S extends AvailabilityState> @Nullable S getState(Class<S> stateType) {
        return stateType == ReadinessState.class ? stateType.cast(readiness) : null;
    }

    @Override
    public <S extends AvailabilityState> @Nullable AvailabilityChangeEvent<S> getLastChangeEvent(Class<S> stateType) {
        return null;
    }
}
