# Regent on one machine: see docs/one-machine.md.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY cli/package.json cli/
# No package needs its install script to build Regent.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-alpine
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/wrangler.toml ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/migrations migrations
COPY --from=build /app/scripts scripts
COPY --from=build /app/server server
COPY --from=build /app/src src
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--expose-gc", "--max-semi-space-size=16", "--max-old-space-size=256", "server/run.js"]
