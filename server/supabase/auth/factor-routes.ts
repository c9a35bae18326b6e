import type { Routes } from "../route-schemas.ts";
import type { AuthContext } from "./context.ts";
import { challengeFactor } from "./factors/challenge.ts";
import { enrolFactor } from "./factors/enrol.ts";
import { AnswerBody, EnrolBody, FactorParams, readEnrolment } from "./factors/requests.ts";
import { unenrolFactor } from "./factors/unenrol.ts";
import { verifyFactor } from "./factors/verify.ts";
import { deviceOf, sessionJson } from "./grant.ts";
import { perAddress } from "./limits.ts";

/** Second factors at sign-in: enrol, challenge, verify and unenrol. */
export function factorRoutes(app: Routes, auth: AuthContext) {
  const { requireSession: preValidation } = auth;
  const params = FactorParams;
  const asking = perAddress("factor", auth.triesPerAddress);
  const guessing = perAddress("second step", auth.triesPerAddress);

  app.post("/factors", { preValidation, config: asking, schema: { body: EnrolBody } }, async (request) => {
    const person = await auth.signedIn(request);
    return enrolFactor(auth, person, readEnrolment(request.body));
  });

  app.post("/factors/:factorId/challenge", { preValidation, config: asking, schema: { params } }, async (request) => {
    const person = await auth.signedIn(request);
    return challengeFactor(auth, person, request.params.factorId, deviceOf(request));
  });

  const answering = { preValidation, config: guessing, schema: { params, body: AnswerBody } };
  app.post("/factors/:factorId/verify", answering, async (request) => {
    const person = await auth.signedIn(request);
    const answer = { ...request.params, ...request.body };
    return sessionJson(auth.tokens, await verifyFactor(auth, person, answer, deviceOf(request)));
  });

  app.delete("/factors/:factorId", { preValidation, schema: { params } }, async (request) => {
    const person = await auth.signedIn(request);
    return unenrolFactor(auth, person, request.params.factorId, deviceOf(request));
  });
}
