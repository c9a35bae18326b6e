import type { FastifyRequest } from "fastify";
import type { AuthContext } from "./context.ts";
import type { Challenge } from "./flow-state.ts";
import { type Device, deviceOf } from "./grant.ts";
import { redirectTo } from "./redirects.ts";
import { readChallenge, readRedirect } from "./requests.ts";

/** The device that requests a message, and how the message's flow ends. */
export interface MessageRequest {
  device: Device;
  /** The link's final redirect; checked. */
  redirectTo: string;
  /** The PKCE challenge, if the client uses PKCE. */
  challenge: Challenge | undefined;
}

/** Reads these fields of a request. Refuses a redirect that is not allowed. */
export const readMessageRequest = ({ redirects }: AuthContext, request: FastifyRequest): MessageRequest => ({
  device: deviceOf(request),
  redirectTo: redirectTo(redirects, readRedirect(request.query, request.body)),
  challenge: readChallenge(request.body),
});
