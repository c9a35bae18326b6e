import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../../shared/request-error.ts";
import type { AuthContext } from "./context.ts";
import { authorize } from "./external/authorize.ts";
import { takeCallback } from "./external/callback.ts";
import { readIdentityId, requireMayLink, unlink } from "./external/identities.ts";
import { perAddress } from "./limits.ts";
import { withParameters } from "./redirects.ts";

/** What providers send by a form; nothing else of it goes into an address. */
const RETURNED = ["state", "code", "iss", "user", "error", "error_description"];
const FORM_LIMIT = 16 * 1024;

/** Accounts at other providers: signing in by them, and adding them to one's own. */
export function externalRoutes(app: FastifyInstance, auth: AuthContext) {
  // No HEAD beside any of these: what looks ahead at links must begin nothing.
  const travelling = { config: perAddress("provider", auth.triesPerAddress), exposeHeadRoute: false };

  app.get("/authorize", travelling, async (request, reply) => {
    refuseHidden(request);
    return authorize(auth, request, reply);
  });

  app.get("/callback", travelling, async (request, reply) =>
    reply.redirect(await takeCallback(auth, request, reply), 303),
  );

  app.register(async (form) => {
    form.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    // Apple sends people back by a form, and with it browsers do not send the cookie along; by the address they do.
    form.post<{ Body: Record<string, string> | null }>("/callback", travelling, async (request, reply) => {
      const returned = Object.entries(request.body ?? {}).filter(([name]) => RETURNED.includes(name));
      return reply.redirect(withParameters(`${auth.url}/callback`, Object.fromEntries(returned)), 303);
    });
  });

  app.get("/user/identities/authorize", travelling, async (request, reply) => {
    const person = await auth.signedIn(request);
    requireMayLink(person);
    return authorize(auth, request, reply, person);
  });

  app.delete("/user/identities/:identityId", async (request) => {
    const person = await auth.signedIn(request);
    await unlink(auth, person, readIdentityId(request.params));
    return {};
  });
}

/** Refuses to set out where nobody sees it: in a picture or a frame on another site's page, or by its scripts. */
function refuseHidden({ headers }: FastifyRequest) {
  if (headers["sec-fetch-site"] !== "cross-site" || headers["sec-fetch-dest"] === "document") return;
  throw new RequestError("validation_failed", { message: "A sign-in begins in a page of its own", status: 403 });
}
