import { normalizeIP, type RateLimitOptions } from "@fastify/rate-limit";
import type { FastifyRequest } from "fastify";

/** A route's limit: how often one address, or one network of IPv6, may try `what` in five minutes. */
export const perAddress = (what: string, max: number): { rateLimit: RateLimitOptions } => ({
  rateLimit: { max, keyGenerator: (request: FastifyRequest) => `${what} from ${normalizeIP(request.ip)}` },
});
