import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../server/functions/endpoints.ts";
import { cardsOf, paidOrder } from "../support/cards.ts";
import { guestOf } from "../support/guests.ts";
import { PLAN, payingServer } from "../support/payments.ts";
import { type Person, signUp } from "../support/people.ts";
import { enrolApp, protect } from "../support/second-factor.ts";
import { post } from "../support/sharing.ts";
import { belong, linkTo, memoryOf } from "../support/talk.ts";

/**
 * The callers whom each route serves: everybody, people with an account and an active session, or only the service.
 * Other tests check the responses: the permission matrix for rows, the table of media for files.
 */
const VERDICTS: Record<"everybody" | "members" | "service", string[]> = {
  everybody: [
    "GET /health",
    "GET /healthz",
    "GET /readyz",
    "GET /config.json",
    "GET /blog/feed.xml",
    "GET /sitemap.xml",
    "GET /manifest.webmanifest",
    "POST /add",
    ...["preview.jpg", "icon.png", "manifest.webmanifest"].map((file) => `GET /shared/:shareId/${file}`),
    "GET /auth/v1/health",
    "GET /auth/v1/settings",
    "GET /auth/v1/.well-known/jwks.json",
    "POST /auth/v1/signup",
    "POST /auth/v1/token",
    "POST /auth/v1/otp",
    "POST /auth/v1/recover",
    "POST /auth/v1/resend",
    "POST /auth/v1/verify",
    "POST /auth/v1/verify/link",
    "POST /auth/v1/verify/link/state",
    "GET /auth/v1/verify",
    "GET /auth/v1/authorize",
    "GET /auth/v1/callback",
    "POST /auth/v1/callback",
    ...["GET", "POST", "PATCH", "PUT", "DELETE"].map((method) => `${method} /rest/v1/:name`),
    ...["GET", "POST", "PATCH", "PUT", "DELETE"].map((method) => `${method} /rest/v1/rpc/:name`),
    "GET /realtime/v1/websocket",
    "POST /storage/v1/object/list/:bucket",
    "GET /storage/v1/object/info/:bucket/*",
    "DELETE /storage/v1/object/:bucket",
    "POST /storage/v1/object/move",
    "POST /storage/v1/object/copy",
    "GET /storage/v1/object/:bucket/*",
    "POST /storage/v1/object/sign/:bucket/*",
    "POST /storage/v1/object/sign/:bucket",
    "GET /storage/v1/object/sign/:bucket/*",
    "GET /storage/v1/object/public/:bucket/*",
    "GET /storage/v1/render/image/public/:bucket/*",
    "GET /storage/v1/object/authenticated/:bucket/*",
    "GET /storage/v1/render/image/sign/:bucket/*",
    "GET /storage/v1/render/image/authenticated/:bucket/*",
    "GET /storage/v1/render/video/sign/:bucket/*",
    "GET /storage/v1/render/video/authenticated/:bucket/*",
    "POST /storage/v1/object/:bucket/*",
    "PUT /storage/v1/object/:bucket/*",
    "POST /storage/v1/upload/resumable",
    "DELETE /storage/v1/upload/resumable",
    ...["POST", "DELETE", "PATCH"].map((method) => `${method} /storage/v1/upload/resumable/:id`),
    "GET /storage/v1/bucket",
    "GET /storage/v1/bucket/:id",
    "POST /storage/v1/bucket/:id/empty",
    ...[
      "open-share",
      "open-wall",
      "open-letter",
      "decline-invitation",
      "forget-device",
      "invitation-again",
      "sign-guest",
      "open-card",
      "affiliate-click",
      "report",
      "picture-request",
      "unsubscribe",
      "stop-notices",
    ].map((name) => `POST /functions/v1/${name}`),
    ...["payment-webhook", "verify-turnstile", "prepare-download", "calendar-link"].map(
      (name) => `POST /functions/v1/${name}`,
    ),
    ...["download", "calendar", "unsubscribe", "stop-notices"].map((name) => `GET /functions/v1/${name}`),
  ],
  members: [
    "GET /auth/v1/user",
    "PUT /auth/v1/user",
    "GET /auth/v1/reauthenticate",
    "POST /auth/v1/logout",
    "POST /auth/v1/factors",
    "POST /auth/v1/factors/:factorId/challenge",
    "POST /auth/v1/factors/:factorId/verify",
    "DELETE /auth/v1/factors/:factorId",
    "GET /auth/v1/user/identities/authorize",
    "DELETE /auth/v1/user/identities/:identityId",
    ...[
      "share-pin",
      "read-share-pin",
      "claim-card",
      "release-card",
      "engraver-pack",
      "card-status",
      "card-labels",
      "delete-account",
      "desk-account",
      "desk-system",
      "my-data",
    ].map((name) => `POST /functions/v1/${name}`),
    ...["order-receipt", "resend-receipt", "refund-order", "create-checkout", "create-checkout-session"].map(
      (name) => `POST /functions/v1/${name}`,
    ),
    "POST /functions/v1/send-email",
  ],
  service: [
    ...["GET", "POST"].map((method) => `${method} /auth/v1/admin/users`),
    ...["GET", "PUT", "DELETE"].map((method) => `${method} /auth/v1/admin/users/:id`),
    "GET /auth/v1/admin/users/:id/factors",
    "DELETE /auth/v1/admin/users/:id/factors/:factorId",
    "POST /auth/v1/admin/generate_link",
    "POST /auth/v1/admin/rotate_keys",
    "POST /auth/v1/invite",
    "POST /storage/v1/bucket",
    "PUT /storage/v1/bucket/:id",
    "DELETE /storage/v1/bucket/:id",
  ],
};

const server = await payingServer({ TURNSTILE_SITE_KEY: "1x00", TURNSTILE_SECRET_KEY: "1x00" });

/** Callers without an account, or with one that is no longer valid. */
const OUTSIDERS = ["nobody", "a visitor", "a visitor whose link ended", "a guest who is blocked"] as const;
const FORMER = ["somebody signed out", "somebody deleted"] as const;
/** Callers with an account, but without a right to Ada's own objects. */
const MEMBERS = ["a stranger", "a viewer", "a contributor", "a co-owner", "somebody before the second step"] as const;
type Who = (typeof OUTSIDERS | typeof FORMER | typeof MEMBERS)[number];

let ada: Person;
let tokens: Record<Who, string | undefined>;
/** The ids and numbers by which routes name Ada's objects. */
let own: { linkId: string; cardId: string; orderId: string; orderNumber: string; factorId: string };
beforeAll(async () => {
  const signedUp = async (name: string) => signUp(server, name);
  ada = await signedUp("Ada");
  const memory = await memoryOf(ada);
  const [share, ending, blocking] = [
    await linkTo(memory, ada, {}),
    await linkTo(memory, ada, { label: "Ends" }),
    await linkTo(memory, ada, { rights: "comment" }),
  ];
  const opened = async (shareId: string) => String((await post(server, "open-share", { shareId })).body.token);
  const ended = await opened(ending);
  await ada.client.from("share_links").update({ revoked_at: "now" }).eq("label", "Ends").throwOnError();
  const guest = await guestOf(server, blocking);
  await ada.client.rpc("block_person", { memory_id: memory, guest: guest.id }).throwOnError();
  const [signedOut, deleted, careful] = [await signedUp("Cora"), await signedUp("Dan"), await signedUp("Fay")];
  await signedOut.client.auth.signOut();
  await server.service().auth.admin.deleteUser(deleted.id);
  await protect(server, careful);
  const { data: half } = await server
    .client()
    .auth.signInWithPassword({ email: careful.email, password: careful.password });
  const member = async (name: string, role: string) => {
    const person = await signedUp(name);
    await belong(server, memory, person, role);
    return person.token;
  };
  tokens = {
    nobody: undefined,
    "a visitor": await opened(share),
    "a visitor whose link ended": ended,
    "a guest who is blocked": guest.token,
    "somebody signed out": signedOut.token,
    "somebody deleted": deleted.token,
    "a stranger": (await signedUp("Eve")).token,
    "a viewer": await member("Vera", "viewer"),
    "a contributor": await member("Carl", "contributor"),
    "a co-owner": await member("Otto", "co-owner"),
    "somebody before the second step": half.session?.access_token,
  };
  const order = await paidOrder(server.db, ada.id, {
    cards: { quantity: 1, engraving: { name: "Rosa", dates: "1931", finish: "steel", language: "en" } },
  });
  await server.db.query("update metal_cards set making = 'engraved' where order_id = $1", [order.id]);
  const [card] = await cardsOf(server.db, order.id);
  const { data: links } = await ada.client.from("share_links").select("id").limit(1).throwOnError();
  own = {
    linkId: links[0]?.id,
    cardId: card?.id ?? "",
    orderId: order.id,
    orderNumber: order.number,
    factorId: (await enrolApp(ada)).id,
  };
});

/** Without the fallbacks that answer 404 for unknown paths, and without the second name of the functions. */
const routes = [
  ...new Set(server.routes.map((route) => route.replace("/.netlify/functions/", "/functions/v1/"))),
].filter((route) => !/^(HEAD|OPTIONS) |\/v1(\/\*)?$|\.netlify/.test(route));

/** Well-formed bodies, so that only the missing right refuses a request. Objects that can have an owner are Ada's. */
const bodies = (): Record<string, object> => ({
  "POST /storage/v1/bucket": { name: "another" },
  "PUT /storage/v1/bucket/:id": { public: true },
  "POST /functions/v1/desk-account": { act: "sign-in-link", person: ada.id, reason: "Asked" },
  "POST /functions/v1/card-status": { of: own.orderNumber },
  "POST /functions/v1/card-labels": { cards: [own.cardId] },
  "POST /functions/v1/engraver-pack": { order: own.orderNumber },
  "POST /functions/v1/order-receipt": { order: own.orderId },
  "POST /functions/v1/resend-receipt": { order: own.orderId },
  "POST /functions/v1/refund-order": { order: own.orderId, amount: 1, reason: "X", request: randomUUID() },
  "POST /functions/v1/release-card": { cardId: own.cardId },
  "POST /functions/v1/claim-card": { code: "0123456789AB", secret: "0000-0000-0000" },
  "POST /functions/v1/share-pin": { linkId: own.linkId, pin: "4711" },
  "POST /functions/v1/read-share-pin": { linkId: own.linkId },
  "POST /functions/v1/send-email": { toEmail: "ada@example.com", subject: "Hello", message: "Hello" },
  "POST /functions/v1/create-checkout": { items: [PLAN] },
  "POST /functions/v1/create-checkout-session": { items: [PLAN] },
});
/** Routes for members that name an object of one person. */
const NAMING = [
  ...[
    "share-pin",
    "read-share-pin",
    "release-card",
    "order-receipt",
    "resend-receipt",
    "refund-order",
    "engraver-pack",
    "card-status",
    "card-labels",
    "desk-account",
    "desk-system",
  ].map((name) => `POST /functions/v1/${name}`),
  "POST /auth/v1/factors/:factorId/challenge",
  "DELETE /auth/v1/factors/:factorId",
];
/** A refusal may also pretend that the object does not exist. */
const REFUSALS = [401, 403, 404];

/** Requests a route with Ada's objects as its parameters. */
async function ask(route: string, token: string | undefined) {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern
    .replace("/admin/users/:id", `/admin/users/${ada.id}`)
    .replace("/bucket/:id", "/bucket/media")
    .replace(":factorId", own.factorId)
    .replaceAll(/:\w+/g, randomUUID());
  const reply = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      apikey: server.keys.publishable,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(method !== "GET" && { "content-type": "application/json" }),
    },
    redirect: "manual",
    ...(method !== "GET" && { body: JSON.stringify(bodies()[route] ?? {}) }),
  });
  await reply.arrayBuffer();
  return reply.status;
}

test("every route has an expected result, and every expected result has a route", () => {
  expect(routes.toSorted()).toEqual(Object.values(VERDICTS).flat().sort());
});

test("endpoints declare the callers whom they serve", () => {
  const declared = (...kinds: string[]) =>
    Object.entries(endpoints).flatMap(([name, { caller }]) =>
      kinds.includes(caller) ? [`POST /functions/v1/${name}`] : [],
    );
  // These refuse visitors themselves, later.
  const later = ["engraver-pack", "order-receipt", "send-email"].map((name) => `POST /functions/v1/${name}`);
  expect([...declared("person", "staff", "account"), ...later].sort()).toEqual(
    VERDICTS.members.filter((route) => route.includes("/functions/")).sort(),
  );
  expect(NAMING).toEqual(expect.arrayContaining(declared("staff")));
});

describe.each([...OUTSIDERS, ...FORMER])("%s", (who) => {
  test.each(VERDICTS.members)("is refused: %s", async (route) => {
    expect(await ask(route, tokens[who])).toBeOneOf(REFUSALS);
  });
});

describe.each(MEMBERS)("%s", (who) => {
  // A co-owner manages the links, including their PINs.
  test.each(NAMING.filter((route) => who !== "a co-owner" || !route.endsWith("share-pin")))(
    "cannot reach an object of Ada's: %s",
    async (route) => {
      expect(await ask(route, tokens[who])).toBeOneOf(REFUSALS);
    },
  );
});

describe.each([...OUTSIDERS, ...FORMER, ...MEMBERS])("%s", (who) => {
  test.each(VERDICTS.service)("is refused what only the service may do: %s", async (route) => {
    expect(await ask(route, tokens[who])).toBeOneOf(REFUSALS);
  });
});

test("an owner is refused what only the service may do, and reaches her own objects", async () => {
  for (const route of VERDICTS.service) {
    expect([route, await ask(route, ada.token)]).toEqual([route, expect.toBeOneOf(REFUSALS)]);
  }
  expect((await ada.client.auth.getUser()).error).toBeNull();
  for (const route of ["POST /functions/v1/share-pin", "POST /functions/v1/order-receipt"]) {
    expect([route, await ask(route, ada.token)]).toEqual([route, 200]);
  }
});
