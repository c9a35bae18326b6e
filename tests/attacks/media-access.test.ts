import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sampled } from "../support/long-tests.ts";
import { type Asker, type Item, makeMediaWorld, SECRETS } from "../support/media-world.ts";
import { testServer } from "../support/server.ts";

/**
 * The access of each caller to each item: the original bytes, as a manager (keeps) or as the person who added it
 * (added); a copy without location and device (copy); only the sight of it (view); or nothing (–).
 */
const ACCESS = `
                                          shown   theirs  held    hidden  video   poster  deleted
  nobody                                  –       –       –       –       –       –       –
  a stranger                              –       –       –       –       –       –       –
  a viewer                                copy    copy    –       –       copy    copy    –
  a contributor                           copy    copy    –       –       copy    copy    –
  contributor                             copy    added   added   –       copy    copy    –
  a contributor no more                   –       –       –       –       –       –       –
  a co-owner                              keeps   keeps   keeps   keeps   keeps   keeps   –
  a co-owner before the second step       –       –       –       –       –       –       –
  a stranger before the second step       –       –       –       –       –       –       –
  the owner                               keeps   keeps   keeps   keeps   keeps   keeps   –
  the service                             keeps   keeps   keeps   keeps   keeps   keeps   keeps
  by a link to view                       copy    copy    –       –       copy    copy    –
  by a link to comment                    copy    copy    –       –       copy    copy    –
  by a link to contribute                 copy    copy    –       –       copy    copy    –
  by a link to upload                     –       –       –       –       –       –       –
  by a link without downloads             view    view    –       –       view    view    –
  by a link with its PIN                  copy    copy    –       –       copy    copy    –
  by an album's link                      copy    copy    –       –       copy    copy    –
  by a link, signed in                    copy    copy    –       –       copy    copy    –
  by a link without downloads, signed in  view    view    –       –       view    view    –
  by a link without downloads, a viewer   copy    copy    –       –       copy    copy    –
  by a link, before the second step       copy    copy    –       –       copy    copy    –
  by a link that ended                    –       –       –       –       –       –       –
  by a link that was revoked              –       –       –       –       –       –       –
  by a link that was made anew            –       –       –       –       –       –       –
  by a link whose PIN was set             –       –       –       –       –       –       –
  by a link whose rights changed          –       –       –       –       –       –       –
  by a link that was deleted              –       –       –       –       –       –       –
`;
const LEVELS = ["keeps", "added", "copy", "view", "–"] as const;
type Level = (typeof LEVELS)[number];

/**
 * The response of each route at each access level: the original byte for byte, a clean copy, yes or no, or the status
 * of a refusal. A route is not for the kinds of items that it does not list.
 */
const WAYS = `
                                                            keeps     added     copy   view   –
  GET /storage/v1/object/:bucket/*                 picture  original  original  clean  403    404
                                                   poster   original  original  clean  403    404
                                                   video    original  original  clean  clean  404
  GET /storage/v1/object/:bucket/*?download        picture  original  original  clean  403    404
                                                   video    original  original  clean  403    404
  GET /storage/v1/object/authenticated/:bucket/*   picture  original  original  clean  403    404
                                                   video    original  original  clean  clean  404
  GET /storage/v1/object/sign/:bucket/*            picture  original  original  clean  403    404
                                                   poster   original  original  clean  403    404
                                                   video    original  original  clean  clean  404
  GET /storage/v1/render/image/authenticated/:bucket/*  picture  clean  clean  clean  clean  404
                                                   poster   clean     clean     clean  clean  404
                                                   video    400       400       400    400    404
  GET /storage/v1/render/image/sign/:bucket/*      picture  clean     clean     clean  clean  404
                                                   poster   clean     clean     clean  clean  404
  GET /storage/v1/render/video/authenticated/:bucket/*  video  clean  clean     clean  clean  404
                                                   picture  404       404       404    404    404
  GET /storage/v1/render/video/sign/:bucket/*      video    clean     clean     clean  clean  404
  GET /storage/v1/object/public/:bucket/*          picture  404       404       404    404    404
                                                   video    404       404       404    404    404
  GET /storage/v1/render/image/public/:bucket/*    picture  404       404       404    404    404
                                                   poster   404       404       404    404    404
  GET /storage/v1/object/info/:bucket/*            picture  yes       yes       yes    yes    404
                                                   video    yes       yes       yes    yes    404
                                                   poster   yes       yes       yes    yes    404
  POST /storage/v1/object/list/:bucket             picture  yes       yes       yes    yes    no
                                                   poster   yes       yes       yes    yes    no
  POST /storage/v1/object/sign/:bucket/*           picture  yes       yes       yes    yes    404
                                                   poster   yes       yes       yes    yes    404
  POST /storage/v1/object/sign/:bucket             picture  yes       yes       yes    yes    no
                                                   video    yes       yes       yes    yes    no
  POST /storage/v1/object/copy                     picture  yes       yes       403    403    404
  POST /storage/v1/object/move                     picture  yes       404       403    403    404
  POST /functions/v1/prepare-download              picture  yes       yes       yes    403    404
  GET /functions/v1/download                       picture  original  original  clean  403    404
                                                   video    original  original  clean  403    404
`;

/**
 * Routes whose responses contain neither media nor facts about media, with the reason. Every new route must be
 * classified, here or above.
 */
const OTHERS: [route: RegExp, why: string][] = [
  [/ \/(storage|functions)\/v1\/?\*?$/, "every other path: answers with 404"],
  [/ \/storage\/v1\/bucket/, "buckets hold names and limits; the service's alone"],
  [/^(POST|PUT) \/storage\/v1\/object\/:bucket\/\*$/, "takes bytes, answers with an id"],
  [/^DELETE \/storage\/v1\/object\/:bucket$/, "answers with rows that the caller could delete"],
  [/ \/storage\/v1\/upload\/resumable/, "takes bytes; tells their number to whom the upload belongs"],
  [/^HEAD \/storage\/v1\/object\/info\//, "the head of what is proved above"],
  [
    / \/functions\/v1\/(open-share|open-wall|open-letter|forget-device|invitation-again|decline-invitation|sign-guest|share-pin|read-share-pin|delete-account|my-data|send-email|report|picture-request|verify-turnstile)$/,
    "answers with JSON",
  ],
  [
    / \/functions\/v1\/(open-card|claim-card|release-card|card-status|desk-account|desk-system|refund-order|resend-receipt)$/,
    "answers with JSON",
  ],
  [/ \/functions\/v1\/(create-checkout|create-checkout-session|payment-webhook)$/, "answers with JSON"],
  [/ \/functions\/v1\/affiliate-click$/, "answers with JSON"],
  [/ \/functions\/v1\/order-receipt$/, "answers with what was bought, for its buyer"],
  [/ \/functions\/v1\/calendar(-link)?$/, "answers with when and where a day is, and with its own address"],
  [/ \/functions\/v1\/card-labels$/, "answers with where cards go, for their buyer and staff"],
  [/ \/functions\/v1\/engraver-pack$/, "answers with what is engraved on cards, for administrators"],
  [/ \/functions\/v1\/(unsubscribe|stop-notices)$/, "answers with JSON, or leads to a page"],
];

const server = await testServer();
const world = await makeMediaWorld(server);

/** Returns a table's rows as lists of cells. A row with an empty first cell takes that of the row above. */
function cells(table: string): string[][] {
  const [, ...rows] = table.split("\n").filter((row) => row.trim());
  let first = "";
  return rows.map((row) => {
    const cells = row.trim().split(/\s{2,}/);
    if (/^ {20}/.test(row)) return [first, ...cells];
    first = cells[0] ?? "";
    return cells;
  });
}

interface Way {
  name: string;
  kind: string;
  expected: Record<Level, string>;
}
const ways: Way[] = cells(WAYS).map(([name = "", kind = "", ...answers]) => ({
  name,
  kind,
  expected: Object.fromEntries(LEVELS.map((level, i) => [level, answers[i] ?? "?"])) as Record<Level, string>,
}));
const routeOf = ({ name }: Way) => name.replace(/\?.*$/, "");

const JSON_BODY: Record<string, (item: Item) => object> = {
  "/object/list/:bucket": ({ name }) => ({ prefix: name.split("/")[0], limit: 1000 }),
  "/object/sign/:bucket/*": () => ({ expiresIn: 60 }),
  "/object/sign/:bucket": ({ name }) => ({ expiresIn: 60, paths: [name] }),
  "/object/copy": ({ bucket, name }) => ({
    bucketId: bucket,
    sourceKey: name,
    destinationKey: `${name.split("/")[0]}/${randomUUID()}.jpg`,
  }),
  // Source and target are the same, so a permitted move changes nothing.
  "/object/move": ({ bucket, name }) => ({ bucketId: bucket, sourceKey: name, destinationKey: name }),
};

/** Requests an item by one route. Resolves to the result in the terms of the table. */
async function ask(way: Way, { bearer, ticket }: Asker, item: Item, method = way.name.split(" ")[0]): Promise<string> {
  if (way.name.includes("/functions/v1/")) return askForZip(bearer, item, method);
  const path = routeOf(way).split(" /storage/v1")[1] ?? "";
  const address = new URL(`/storage/v1${path.replace(":bucket", item.bucket).replace("*", item.name)}`, server.url);
  const headers: Record<string, string> = {};
  const byTicket = method !== "POST" && path.includes("/sign/");
  if (byTicket) address.searchParams.set("token", await ticket(item));
  else headers.authorization = `Bearer ${bearer}`;
  if (path.startsWith("/render/image/")) address.searchParams.set("width", "320");
  if (way.name.endsWith("?download")) address.searchParams.set("download", "");
  const body = JSON_BODY[path];
  if (method === "POST" && body) headers["content-type"] = "application/json";
  const response = await fetch(address, {
    method,
    headers,
    body: method === "POST" && body ? JSON.stringify(body(item)) : undefined,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return outcome(response, bytes, item, method === "HEAD");
}

/** Prepares an item as a ZIP file, and downloads the file unless the route only prepares it. */
async function askForZip(bearer: string, item: Item, method?: string): Promise<string> {
  const prepare = () =>
    fetch(`${server.url}/functions/v1/prepare-download`, {
      method: "POST",
      headers: { authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ mediaIds: [item.id] }),
    });
  let prepared = await prepare();
  while (prepared.status === 202) prepared = await prepare();
  const body = Buffer.from(await prepared.clone().arrayBuffer());
  if (!prepared.ok || method === "POST") return outcome(prepared, body, item, false);
  const file = await fetch(((await prepared.json()) as { url: string }).url, { method });
  return outcome(file, Buffer.from(await file.arrayBuffer()), item, method === "HEAD");
}

function outcome(response: Response, bytes: Buffer, item: Item, head: boolean): string {
  const tells = SECRETS.some((secret) => bytes.includes(secret));
  if (!response.ok) return tells ? "an error that tells" : String(response.status);
  if (head) return bytes.length === 0 ? "ok" : "a head with a body";
  if (response.headers.get("content-type")?.startsWith("application/json")) {
    const text = bytes.toString();
    const last = item.name.split("/").at(-1) ?? "";
    const answered = JSON.parse(text) as unknown;
    // A list contains only existing objects. The URL of an object that was not signed is null.
    return Array.isArray(answered) ? (text.includes(last) && !text.includes('"signedURL":null') ? "yes" : "no") : "yes";
  }
  // A ZIP file contains the original uncompressed.
  if (bytes.includes(item.bytes)) return "original";
  return tells || bytes.length === 0 ? "a copy that tells" : "clean";
}

test("every route of storage and of functions is classified here", () => {
  const proved = new Set(ways.flatMap((way) => [routeOf(way), routeOf(way).replace(/^GET/, "HEAD")]));
  const guarded = server.routes.map((route) => route.replace("/.netlify/functions/", "/functions/v1/"));
  const unknown = guarded.filter(
    (route) =>
      / \/(storage|functions)\/v1\//.test(route) &&
      !proved.has(route) &&
      !OTHERS.some(([prefix]) => prefix.test(route)),
  );
  expect(unknown).toEqual([]);
  expect([...new Set(ways.map(routeOf))].filter((route) => !server.routes.includes(route))).toEqual([]);
});

const access = cells(ACCESS);

/** People whose link opens nothing any more. A page of theirs that is still open is told so instead of "not found". */
const ENDED = /link that (ended|was revoked|was deleted)$/;

test("every kind of caller is in the table", () => {
  expect(access.map(([who]) => who).sort()).toEqual(Object.keys(world.askers).sort());
});

test.each(sampled(access, 10))("access to media: %s", async (who, ...row) => {
  const asker = world.askers[who];
  if (!asker) throw new Error(`There is nobody who asks ${who}`);
  const faults: string[] = [];
  const addresses = Object.entries(world.items).flatMap(([what, item], i) =>
    ways
      // ZIP files are for people. The service reads objects directly.
      .filter(({ kind, name }) => kind === item.kind && !(who === "the service" && name.includes("/functions/")))
      .flatMap((way) => {
        const level = row[i] as Level;
        const expected = way.name.includes("/functions/") && ENDED.test(who) ? "410" : way.expected[level];
        const check = async (method?: string) => {
          const expectedOutcome = method && ["original", "clean"].includes(expected) ? "ok" : expected;
          const got = await ask(way, asker, item, method);
          if (got !== expectedOutcome)
            faults.push(`${what} by ${method ?? ""} ${way.name}: ${got}, not ${expectedOutcome}`);
        };
        // A HEAD response reveals no more than the GET response.
        return way.name.startsWith("GET") && !way.name.includes("/info/") ? [check(), check("HEAD")] : [check()];
      }),
  );
  await Promise.all(addresses);
  expect(faults).toEqual([]);
});
