# Packs target/registrar-*-exec.jar, so run `mvn package` first:  mvn -B package && docker build -t registrar .
# The base has Java 25 or newer; on an older one the service starts without the cache.
ARG BASE=eclipse-temurin:25-jre

FROM ${BASE} AS layers
WORKDIR /build
COPY target/registrar-*-exec.jar registrar.jar
RUN java -Djarmode=tools -jar registrar.jar extract --layers --destination layers

FROM ${BASE} AS service
# The embedded PostgreSQL, used when SPRING_DATASOURCE_URL is not set, does not run as root in a container and requires
# that its user has a name. Written without useradd, because not every base image has it.
RUN echo "registrar:x:10001:10001::/registrar:/bin/false" >> /etc/passwd \
    && mkdir -p /registrar/data \
    && chown 10001:10001 /registrar/data
WORKDIR /registrar
# ParallelGC takes less CPU time a request than G1, and long-lived data is bounded: docs/operations.md, "Start".
# A service that runs out of memory exits and is restarted. The last option is for a Java without ahead-of-time caches.
RUN printf '%s\n' -XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError -XX:MaxRAMPercentage=50 \
    --enable-native-access=ALL-UNNAMED -XX:+IgnoreUnrecognizedVMOptions > java.options
# What changes least comes first, so that a new version of the service is one small layer.
COPY --from=layers /build/layers/dependencies/ ./
COPY --from=layers /build/layers/spring-boot-loader/ ./
COPY --from=layers /build/layers/snapshot-dependencies/ ./
COPY --from=layers /build/layers/application/ ./
USER 10001:10001

# The training run: the service starts with the embedded PostgreSQL, warms up and stops, and the JVM writes down which
# classes it loaded and which methods were hot. Nothing else of this stage is kept.
FROM service AS training
RUN java @java.options -XX:AOTCacheOutput=/tmp/registrar.aot -jar registrar.jar --registrar.stop-when-ready=true \
    --registrar.warm-up.at-most=20s --registrar.embedded.data-directory=/tmp/data/postgres \
    && touch /tmp/registrar.aot

FROM service
COPY --from=training /tmp/registrar.aot ./
VOLUME /registrar/data
EXPOSE 8080
# A container's loopback address cannot be reached from outside. The service does not ask who is calling, so it starts here only
# with REGISTRAR_SECURITY_ALLOW_NETWORK_WITHOUT_LOGIN=true: decide who may call where the port is published.
ENV SERVER_ADDRESS=0.0.0.0
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=registrar.aot", "-jar", "registrar.jar"]
