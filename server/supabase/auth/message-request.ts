import type { FastifyRequest } from "fastify";
import type { AuthContext } from "./context.ts";
import type { Challenge } from "./flow-state.ts";
import { type Device, deviceOf } from "./grant.ts";
import { redirectTo } from "./redirects.ts";
import { readChallenge, readRedirect } from "./requests.ts";

/** The requester of a message, and how its flow ends. */
export interface MessageRequest {
  device: Device;
  /** The link's final redirect; checked. */
  redirectTo: string;
  /** For a client that waits with a verifier. */
  challenge: Challenge | undefined;
}

/** The general fields of a request; refuses an address to which links may not lead. */
export const readMessageRequest = ({ redirects }: AuthContext, request: FastifyRequest): MessageRequest => ({
  device: deviceOf(request),
  redirectTo: redirectTo(redirects, readRedirect(request.query, request.body)),
  challenge: readChallenge(request.body),
});
