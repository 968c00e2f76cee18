# mcplumb alone: a static program on an empty image.
#   docker run --rm -v "$PWD:/src" ghcr.io/mcplumb/mcplumb check
ARG GO=golang:1.26

FROM ${GO} AS build
WORKDIR /mcplumb
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /out/mcplumb ./cmd/mcplumb

FROM scratch
LABEL org.opencontainers.image.title="mcplumb" \
      org.opencontainers.image.description="A linter for the MCP server configuration in a repository" \
      org.opencontainers.image.source="https://github.com/mcplumb/mcplumb" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /out/mcplumb /mcplumb
USER 65532:65532
WORKDIR /src
ENTRYPOINT ["/mcplumb"]
CMD ["check"]
