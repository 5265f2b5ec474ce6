# Packs target/registrar-*-exec.jar, so run `mvn package` first:  mvn -B package && docker build -t registrar .
ARG BASE=eclipse-temurin:25-jre

FROM ${BASE} AS layers
WORKDIR /build
COPY target/registrar-*-exec.jar registrar.jar
RUN java -Djarmode=tools -jar registrar.jar extract --layers --launcher --destination layers

FROM ${BASE}
# The embedded PostgreSQL, used when SPRING_DATASOURCE_URL is not set, does not run as root in a container and wants its
# user to have a name. Written by hand, because useradd is not in every base image.
RUN echo "registrar:x:10001:10001::/registrar:/bin/false" >> /etc/passwd \
    && mkdir -p /registrar/data \
    && chown 10001:10001 /registrar/data
WORKDIR /registrar
# What changes least comes first, so that a new version of ours is one small layer.
COPY --from=layers /build/layers/dependencies/ ./
COPY --from=layers /build/layers/spring-boot-loader/ ./
COPY --from=layers /build/layers/snapshot-dependencies/ ./
COPY --from=layers /build/layers/application/ ./
USER 10001:10001
VOLUME /registrar/data
EXPOSE 8080
# In a container, loopback is reached by nobody; who may call is decided where the port is published.
ENV SERVER_ADDRESS=0.0.0.0
# ParallelGC takes less CPU time of a request than G1, and what lives long is bounded: docs/performance.md, "The JVM's settings".
# A service that is out of memory is better started anew than half alive.
ENTRYPOINT ["java", "-XX:+UseParallelGC", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED", "-XX:MaxRAMPercentage=50", "org.springframework.boot.loader.launch.JarLauncher"]
