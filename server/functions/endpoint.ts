import type { z } from "zod";
import type { Caller } from "../database/as-caller.ts";
import type { Services } from "../services.ts";
import type { SignedIn } from "../supabase/auth/signed-in.ts";
import type { AccessCheck } from "../supabase/stream-guard.ts";

/** Who may call an endpoint, and what its handler learns of them. Row policies decide what a caller may see and do. */
export interface Callers {
  /** Anyone. No token is read before the handler: the body authorises the request, e.g. by the token of an email. */
  unidentified: object;
  /** Anyone. A token that is invalid or has expired counts as none. */
  optional: { caller: Caller };
  /** Anyone. A token that is invalid or has expired is refused, so that the browser renews it. */
  anyone: { caller: Caller };
  /** People with an account, and the service. */
  person: { caller: Caller };
  /** The same. A row policy or a function of the database requires a role. */
  staff: { caller: Caller };
  /** A person with an account whose session has not ended and has its required second factor. */
  account: { person: SignedIn };
}

/** Services that an installation may lack. An endpoint that needs one is then unknown. */
type Configured = "payments" | "botCheck";

/** An endpoint as data, in the order of its checks. */
interface Definition<Kind extends keyof Callers, Shape extends z.ZodType, Needed extends Configured> {
  needs?: Needed;
  /** Refuses pages of other sites: the endpoint counts attempts by network address, or uses a cookie. */
  ownPagesOnly?: boolean;
  caller: Kind;
  /** The message for callers of the kind `account` who are refused; the code's own without it. */
  signInMessage?: string;
  /** The JSON body. Without it, the handler reads the body itself, e.g. because it can be a form. */
  body?: Shape;
}

/** What a request tells beside its caller and body. */
export interface Received {
  request: Request;
  /** The client's address, for rate limits. */
  address: string;
  /** The address of a proxy that `TRUST_PROXY` does not name. */
  untrustedProxy?: string | undefined;
}

type Needing<Needed extends Configured> = { [Name in Needed]: NonNullable<Services[Name]> };
type Answer = Response | object;

/** A POST endpoint. */
export interface Endpoint extends Definition<keyof Callers, z.ZodType, Configured> {
  /** Returns the JSON of an answer 200, or another response. */
  handler(input: never): Promise<Answer>;
}

/** Defines an endpoint of `endpoints.ts`. Its handler receives the services, the request, its caller and its body. */
export const endpoint = <
  Kind extends keyof Callers,
  Shape extends z.ZodType = z.ZodUndefined,
  Needed extends Configured = never,
>(
  definition: Definition<Kind, Shape, Needed>,
  handler: (
    input: Services & Needing<Needed> & Received & Callers[Kind] & { body: z.output<Shape> },
  ) => Promise<Answer>,
): Endpoint => ({ ...definition, handler });

/** A GET endpoint with a file. It passes `watch` the check that may end a long response. */
export type FileEndpoint = (
  input: Services & { request: Request; watch(check: AccessCheck): void },
) => Promise<Response>;
