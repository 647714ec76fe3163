# Builds an image from a checkout: docker build -t solx .
#
#   docker run --rm -e SOLX_API_KEY solx token trending
#   docker run --rm -it -v solx:/data solx explore --sandbox
#   docker run --rm -p 127.0.0.1:8787:8787 solx sandbox --host 0.0.0.0 --key my-test-key
#
# The base has to contain Node.js 22.19 or later and npm.
ARG NODE_IMAGE=docker.io/library/node:26-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npm ci
RUN node scripts/image.ts /package

FROM ${NODE_IMAGE}
ARG NODE_IMAGE
# The commit: docker build --build-arg REVISION="$(git rev-parse HEAD)"
ARG REVISION
LABEL org.opencontainers.image.title="solx" \
      org.opencontainers.image.description="Every endpoint of a Solana explorer's data API at the prompt" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.vendor="The solx authors" \
      org.opencontainers.image.source="https://github.com/solx-cli/solx" \
      org.opencontainers.image.url="https://github.com/solx-cli/solx#readme" \
      org.opencontainers.image.documentation="https://github.com/solx-cli/solx/blob/v0.2.0/docs/sandbox.md#container" \
      org.opencontainers.image.base.name="${NODE_IMAGE}"
COPY --from=build /package /usr/local/lib/solx
# Any user can write to both folders: docker run --user.
RUN ln -s ../lib/solx/bin/solx.js /usr/local/bin/solx && install -d -m 1777 /data /work
# Settings, cache and worlds of the sandbox are in one folder. A container has no keychain.
ENV SOLX_HOME=/data SOLX_KEY_STORE=file
VOLUME /data
WORKDIR /work
USER 1000:1000
EXPOSE 8787
ENTRYPOINT ["solx"]
