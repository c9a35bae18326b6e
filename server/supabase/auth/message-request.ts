import type { FastifyRequest } from "fastify";
import type { AuthContext } from "./context.ts";
import type { Challenge } from "./flow-state.ts";
import { type Device, deviceOf } from "./grant.ts";
import { redirectTo } from "./redirects.ts";
import { readChallenge, readRedirect } from "./requests.ts";

/** Who asks for a message, and how what it holds is to end. */
export interface MessageRequest {
  device: Device;
  /** Where the link leads in the end; checked. */
  redirectTo: string;
  /** Where the one who asks waits with a verifier. */
  challenge: Challenge | undefined;
}

/** What a request says beside its own matter; refuses an address that links may not lead to. */
export const readMessageRequest = ({ redirects }: AuthContext, request: FastifyRequest): MessageRequest => ({
  device: deviceOf(request),
  redirectTo: redirectTo(redirects, readRedirect(request.query, request.body)),
  challenge: readChallenge(request.body),
});
