# A stand-in for the Java base image, see README.md. Built by build-stand-ins.sh in a folder that has both.
FROM scratch
ADD rootfs.tar /
COPY jdk /opt/java
ENV PATH=/opt/java/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
