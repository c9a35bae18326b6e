import type { FastifyInstance, FastifyRequest } from "fastify";

/**
 * Returns the address of a proxy that forwarded a request and that `TRUST_PROXY` does not name. Limits then count all of
 * its visitors as one, so that any of them can lock out all others. Undefined for other requests.
 */
export function untrustedProxy({ headers, ip, socket }: FastifyRequest): string | undefined {
  // The framework takes a forwarded address only from a trusted proxy.
  return headers["x-forwarded-for"] !== undefined && ip === socket.remoteAddress ? ip : undefined;
}

/** Logs the first request that such a proxy forwards, without its address. */
export function noticeUntrustedProxies(app: FastifyInstance) {
  let isLogged = false;
  app.addHook("onRequest", (request, _reply, done) => {
    if (!isLogged && untrustedProxy(request) !== undefined) {
      isLogged = true;
      request.log.warn(
        "A proxy forwards requests, but TRUST_PROXY does not name it. Limits count all its visitors as one. The desk's System page shows its address.",
      );
    }
    done();
  });
}
