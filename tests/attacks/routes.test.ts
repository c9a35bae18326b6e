import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { PLAN, payingServer } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { post } from "../support/sharing.ts";
import { linkTo, memoryOf } from "../support/talk.ts";

/**
 * Whom each route answers at all: everybody; people with an account in a session that goes on; or the service alone. What
 * is answered is for other tests: rows by the matrix of permissions, files by the table of media.
 */
const VERDICTS: Record<"everybody" | "members" | "service", string[]> = {
  everybody: [
    ...["GET /health", "GET /readyz", "GET /config.json"],
    ...[
      "GET /auth/v1/health",
      "GET /auth/v1/settings",
      "GET /auth/v1/.well-known/jwks.json",
      "POST /auth/v1/signup",
      "POST /auth/v1/token",
    ],
    ...["POST /auth/v1/otp", "POST /auth/v1/recover", "POST /auth/v1/resend", "POST /auth/v1/verify"],
    ...["GET /auth/v1/verify", "GET /auth/v1/authorize", "GET /auth/v1/callback", "POST /auth/v1/callback"],
    ...["GET", "POST", "PATCH", "PUT", "DELETE"].map((method) => `${method} /rest/v1/:name`),
    ...["GET /rest/v1/rpc/:name", "POST /rest/v1/rpc/:name", "GET /realtime/v1/websocket"],
    ...[
      "POST /storage/v1/object/list/:bucket",
      "GET /storage/v1/object/info/:bucket/*",
      "DELETE /storage/v1/object/:bucket",
    ],
    ...["POST /storage/v1/object/move", "POST /storage/v1/object/copy", "GET /storage/v1/object/:bucket/*"],
    ...[
      "POST /storage/v1/object/sign/:bucket/*",
      "POST /storage/v1/object/sign/:bucket",
      "GET /storage/v1/object/sign/:bucket/*",
    ],
    ...["GET /storage/v1/object/authenticated/:bucket/*", "GET /storage/v1/render/image/sign/:bucket/*"],
    ...["GET /storage/v1/render/image/authenticated/:bucket/*", "GET /storage/v1/render/video/sign/:bucket/*"],
    ...["GET /storage/v1/render/video/authenticated/:bucket/*", "POST /storage/v1/object/:bucket/*"],
    ...["PUT /storage/v1/object/:bucket/*", "POST /storage/v1/upload/resumable", "DELETE /storage/v1/upload/resumable"],
    ...["POST", "DELETE", "PATCH"].map((method) => `${method} /storage/v1/upload/resumable/:id`),
    ...["GET /storage/v1/bucket", "GET /storage/v1/bucket/:id", "POST /storage/v1/bucket/:id/empty"],
    ...["open-share", "sign-guest", "open-card", "affiliate-click", "report", "unsubscribe", "stop-notices"].map(
      (name) => `POST /functions/v1/${name}`,
    ),
    ...["payment-webhook", "verify-turnstile", "prepare-download"].map((name) => `POST /functions/v1/${name}`),
    ...["download", "unsubscribe", "stop-notices"].map((name) => `GET /functions/v1/${name}`),
  ],
  members: [
    ...["GET /auth/v1/user", "PUT /auth/v1/user", "GET /auth/v1/reauthenticate", "POST /auth/v1/logout"],
    ...["POST /auth/v1/factors", "POST /auth/v1/factors/:factorId/challenge", "POST /auth/v1/factors/:factorId/verify"],
    ...["DELETE /auth/v1/factors/:factorId", "GET /auth/v1/user/identities/authorize"],
    "DELETE /auth/v1/user/identities/:identityId",
    ...["share-pin", "claim-card", "release-card", "engraver-pack", "card-status", "delete-account", "my-data"].map(
      (name) => `POST /functions/v1/${name}`,
    ),
    ...["order-receipt", "create-checkout", "create-checkout-session"].map((name) => `POST /functions/v1/${name}`),
    "POST /functions/v1/send-email",
  ],
  service: [
    ...["GET", "POST"].map((method) => `${method} /auth/v1/admin/users`),
    ...["GET", "PUT", "DELETE"].map((method) => `${method} /auth/v1/admin/users/:id`),
    ...["GET /auth/v1/admin/users/:id/factors", "DELETE /auth/v1/admin/users/:id/factors/:factorId"],
    ...["POST /auth/v1/admin/generate_link", "POST /auth/v1/admin/rotate_keys", "POST /auth/v1/invite"],
    ...["POST /storage/v1/bucket", "PUT /storage/v1/bucket/:id", "DELETE /storage/v1/bucket/:id"],
  ],
};

const server = await payingServer({ TURNSTILE_SITE_KEY: "1x00", TURNSTILE_SECRET_KEY: "1x00" });
let ada: Person;
let bob: Person;
let tokens: Record<
  "nobody" | "a visitor" | "somebody signed out" | "somebody deleted" | "a stranger",
  string | undefined
>;
beforeAll(async () => {
  const names = ["Ada", "Bob", "Cora", "Dan", "Eve"];
  const people = await Promise.all(names.map((name) => signUp(server, name)));
  [ada, bob] = people as [Person, Person];
  const [, , cora, dan, eve] = people as Person[];
  const share = await linkTo(await memoryOf(ada), ada, {});
  const opened = await post(server, "open-share", { shareId: share });
  await cora?.client.auth.signOut();
  await server.service().auth.admin.deleteUser(dan?.id ?? "");
  tokens = {
    nobody: undefined,
    "a visitor": String(opened.body.token),
    "somebody signed out": cora?.token,
    "somebody deleted": dan?.token,
    "a stranger": eve?.token,
  };
});

/** The fallbacks that answer 404 for unknown paths, and the second name of the functions, are no routes of their own. */
const routes = [
  ...new Set(server.routes.map((route) => route.replace("/.netlify/functions/", "/functions/v1/"))),
].filter((route) => !/^(HEAD|OPTIONS) |\/v1(\/\*)?$|\.netlify/.test(route));

/** What gets a request beyond its form, so that the right to ask is what refuses it. */
const BODIES: Record<string, object> = {
  "POST /storage/v1/bucket": { name: "another" },
  "PUT /storage/v1/bucket/:id": { public: true },
  "POST /functions/v1/card-status": { of: "SK-1" },
  "POST /functions/v1/engraver-pack": { order: "SK-1" },
  "POST /functions/v1/order-receipt": { order: randomUUID() },
  "POST /functions/v1/release-card": { cardId: randomUUID() },
  "POST /functions/v1/claim-card": { code: "0123456789AB", secret: "0000-0000-0000" },
  "POST /functions/v1/share-pin": { linkId: randomUUID(), pin: "4711" },
  "POST /functions/v1/send-email": { toEmail: "ada@example.com", subject: "Hello", message: "Hello" },
  "POST /functions/v1/create-checkout": { items: [PLAN] },
  "POST /functions/v1/create-checkout-session": { items: [PLAN] },
};
/** What there is to refuse may also be as if it were not there. */
const REFUSALS = [401, 403, 404];

/** Asks for what is Ada's where the route names somebody. */
async function ask(route: string, token: string | undefined) {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern
    .replace("/admin/users/:id", `/admin/users/${ada.id}`)
    .replace("/bucket/:id", "/bucket/media")
    .replaceAll(/:\w+/g, randomUUID());
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      apikey: server.keys.publishable,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(method !== "GET" && { "content-type": "application/json" }),
    },
    redirect: "manual",
    ...(method !== "GET" && { body: JSON.stringify(BODIES[route] ?? {}) }),
  });
  await reply.arrayBuffer();
  return reply.status;
}

test("every route has a verdict, and every verdict is of a route", () => {
  expect(routes.toSorted()).toEqual(Object.values(VERDICTS).flat().sort());
});

describe.each(["nobody", "a visitor", "somebody signed out", "somebody deleted"] as const)("%s", (who) => {
  test.each(VERDICTS.members)("is refused: %s", async (route) => {
    expect(await ask(route, tokens[who])).toBeOneOf(REFUSALS);
  });
});

describe.each(["nobody", "a visitor", "somebody signed out", "somebody deleted", "a stranger"] as const)(
  "%s",
  (who) => {
    test.each(VERDICTS.service)("does not get what is the service's: %s", async (route) => {
      expect(await ask(route, tokens[who])).toBeOneOf(REFUSALS);
    });
  },
);

test("an owner does not get what is the service's either, and nothing of theirs is changed", async () => {
  for (const route of VERDICTS.service)
    expect([route, await ask(route, ada.token)]).toEqual([route, expect.toBeOneOf(REFUSALS)]);
  expect((await server.db.query("select 1 from auth.users where id = any ($1)", [[ada.id, bob.id]])).rows).toHaveLength(
    2,
  );
});
