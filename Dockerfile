# mcplumb alone: the program of a release, a static one, on an empty image. Nothing
# is built or pulled here, so the image is as reproducible as the program.
#   docker run --rm -v "$PWD:/src" ghcr.io/mcplumb/mcplumb check
# scripts/build-image makes it, for every processor that it is for.
FROM scratch
ARG TARGETARCH
LABEL org.opencontainers.image.title="mcplumb" \
      org.opencontainers.image.description="A linter for the MCP server configuration in a repository" \
      org.opencontainers.image.source="https://github.com/mcplumb/mcplumb" \
      org.opencontainers.image.licenses="MIT"
COPY linux_${TARGETARCH}/mcplumb /mcplumb
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["/mcplumb"]
CMD ["check"]
