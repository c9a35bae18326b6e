import type { FastifyInstance } from "fastify";
import type { AuthContext } from "./context.ts";
import { challengeFactor } from "./factors/challenge.ts";
import { enrolFactor } from "./factors/enrol.ts";
import { readAnswer, readEnrolment, readFactorId } from "./factors/requests.ts";
import { unenrolFactor } from "./factors/unenrol.ts";
import { verifyFactor } from "./factors/verify.ts";
import { deviceOf, sessionJson } from "./grant.ts";
import { perAddress } from "./limits.ts";

/** Second steps at sign-in: added, asked for, taken and taken away. */
export function factorRoutes(app: FastifyInstance, auth: AuthContext) {
  const asking = { config: perAddress("factor", auth.triesPerAddress) };
  const guessing = { config: perAddress("second step", auth.triesPerAddress) };

  app.post("/factors", asking, async (request) => {
    const person = await auth.signedIn(request);
    return enrolFactor(auth, person, readEnrolment(request.body));
  });

  app.post("/factors/:factorId/challenge", asking, async (request) => {
    const person = await auth.signedIn(request);
    return challengeFactor(auth, person, readFactorId(request.params), deviceOf(request));
  });

  app.post("/factors/:factorId/verify", guessing, async (request) => {
    const person = await auth.signedIn(request);
    const answer = { factorId: readFactorId(request.params), ...readAnswer(request.body) };
    return sessionJson(auth.tokens, await verifyFactor(auth, person, answer, deviceOf(request)));
  });

  app.delete("/factors/:factorId", async (request) => {
    const person = await auth.signedIn(request);
    return unenrolFactor(auth, person, readFactorId(request.params), deviceOf(request));
  });
}
