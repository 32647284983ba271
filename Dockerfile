# The image has Node 24, so the optional packages with Node's binary are omitted.
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force && mkdir data && chown node data
COPY src src
COPY examples examples
# Served by /llms-full.txt.
COPY docs docs
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
EXPOSE 8080
# SQLite is the default of DATABASE_URL.
VOLUME /app/data
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "src/main.ts"]
CMD ["serve"]
