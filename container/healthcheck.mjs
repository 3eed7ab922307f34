/** The image's HEALTHCHECK: exits with 0 if the service responds on its port. */
const response = await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).catch(() => undefined);
process.exitCode = response?.status === 200 ? 0 : 1;
