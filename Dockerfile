# Compiles the package, as `npm pack` does for the registry.
FROM node:24-slim AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY release/node release/node
RUN npm ci
COPY . .
RUN npm pack --pack-destination /tmp && mkdir /package && tar -xzf /tmp/*.tgz -C /package --strip-components=1

# Installs what the package needs at run time. The image has Node, so the packages with Node's binary are omitted.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY release/node release/node
RUN npm ci --omit=dev --omit=optional

FROM node:24-slim
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=package /package ./
# `docker exec CONTAINER public-reviews import ...` runs a command.
RUN mkdir data && chown node data && ln -s /app/bin/public-reviews.cjs /usr/local/bin/public-reviews
USER node
# Imports stage their rows in SQLITE_TMPDIR: the rest of the file system may be read-only.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 SQLITE_TMPDIR=/app/data
EXPOSE 8080
# SQLite is the default of DATABASE_URL.
VOLUME /app/data
STOPSIGNAL SIGTERM
# Bash, which the image has, asks without starting a Node each time.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]"]
# The space for new objects would grow to 64 MiB twice under load, which serves nobody faster.
ENTRYPOINT ["node", "--max-semi-space-size=16", "/app/bin/public-reviews.cjs"]
CMD ["serve"]
