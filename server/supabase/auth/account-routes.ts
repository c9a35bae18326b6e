import type { Routes } from "../route-schemas.ts";
import { changeAccount } from "./account-change.ts";
import { checkCaptcha } from "./captcha.ts";
import type { AuthContext } from "./context.ts";
import { challengeFactor } from "./factors/challenge.ts";
import { enrolFactor } from "./factors/enrol.ts";
import { lacksSecondFactor, requireSecondFactor } from "./factors/factors.ts";
import { AnswerBody, EnrolBody, FactorParams, readEnrolment } from "./factors/requests.ts";
import { unenrolFactor } from "./factors/unenrol.ts";
import { verifyFactor } from "./factors/verify.ts";
import { deviceOf, sessionJson } from "./grant.ts";
import { perAddress } from "./limits.ts";
import { readMessageRequest } from "./message-request.ts";
import { padDuration } from "./pad-duration.ts";
import { askToReauthenticate } from "./reauthenticate.ts";
import { LogoutQuery, readSignUp, readUserChange, SignUpBody, UserBody } from "./requests.ts";
import { signOut } from "./sessions.ts";
import { sendSignUp, signUp } from "./sign-up.ts";
import { userJson } from "./user-json.ts";

export function accountRoutes(app: Routes, auth: AuthContext) {
  const { db, tokens, triesPerAddress, signedIn, requireSession } = auth;
  const signingUp = { config: perAddress("sign-up", triesPerAddress), schema: { body: SignUpBody } };

  app.post("/signup", signingUp, async (request) => {
    const person = readSignUp(request.body);
    const message = readMessageRequest(auth, request);
    await checkCaptcha(auth, request);
    if (auth.confirmAddresses) return padDuration(() => sendSignUp(auth, person, message));
    return sessionJson(tokens, await signUp(auth, person, message.device));
  });

  app.get("/user", async (request) => userJson(await signedIn(request)));

  app.put("/user", { preValidation: requireSession, schema: { body: UserBody } }, async (request) => {
    const person = await signedIn(request);
    const change = readUserChange(request.body);
    const message = readMessageRequest(auth, request);
    const work = () => changeAccount(auth, person, change, message);
    // The duration must not reveal whether another account has the new address.
    return userJson(await (change.email || change.phone ? padDuration(work) : work()));
  });

  // No HEAD route: it would send the message too.
  app.get("/reauthenticate", { exposeHeadRoute: false }, async (request) => {
    await askToReauthenticate(auth, await signedIn(request), deviceOf(request));
    return {};
  });

  app.post(
    "/logout",
    { preValidation: requireSession, schema: { querystring: LogoutQuery } },
    async (request, reply) => {
      const person = await signedIn(request);
      const { scope } = request.query;
      if (scope === "others") requireSecondFactor(person, "sign other devices out");
      // The client's default is `global`. Before the second factor is verified, only this session ends.
      await signOut(db, person, lacksSecondFactor(person) ? "local" : scope);
      return reply.code(204).send();
    },
  );
}

/** Registers the routes of second factors: enrol, challenge, verify and unenrol. */
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
