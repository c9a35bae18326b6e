import { expect, test } from "vitest";
import { Random } from "../support/fuzz/random.ts";
import { LONG, sized } from "../support/long-tests.ts";
import { ownerOfSize } from "../support/owner-of-size.ts";
import { appRequests } from "../support/postgrest/app-requests.ts";
import { differingParts } from "../support/postgrest/compare.ts";
import { type Difference, KINDS, KINDS_OF_PRODUCT, kindsOf, RARE } from "../support/postgrest/differences.ts";
import { reasonWithoutPostgrest } from "../support/postgrest/program.ts";
import { callRequest, type GeneratedRequest, readRequest, writeRequest } from "../support/postgrest/requests.ts";
import { type Response, send } from "../support/postgrest/send.ts";
import { serverBesidePostgrest, twoLibraries } from "../support/postgrest/two-libraries.ts";
import { open, ownerOf } from "../support/sharing.ts";

/** Fixed, so that a failure can be reproduced. Long runs use a new seed each time. */
const SEED = Number(process.env.FUZZ_SEED ?? sized(20_261_126, Date.now() % 2 ** 32));
const REQUESTS = sized(2000, 8000);
/** The share of requests that can change rows; these are sent one after another. */
const CHANGES = 0.3;
const AT_ONCE = 8;

if (reasonWithoutPostgrest) console.warn(`No comparison with PostgREST: ${reasonWithoutPostgrest}`);

test.skipIf(reasonWithoutPostgrest)(`answers as PostgREST does, seed ${SEED}`, { timeout: 1_800_000 }, async () => {
  const both = await twoLibraries();
  const random = new Random(SEED);
  const used = new Set<string>();
  const unlisted: unknown[] = [];

  const sendBoth = (request: GeneratedRequest): Promise<[Response, Response]> => {
    const exchange = { ...request, headers: { ...request.headers, ...both.callers[request.caller] } };
    return Promise.all([send(both.ours, exchange), send(both.theirs, exchange)]);
  };

  const compare = async (request: GeneratedRequest, isChange: boolean) => {
    const [ours, theirs] = await sendBoth(request);
    const difference: Difference = { request, ours, theirs, parts: differingParts(ours, theirs) };
    const succeeded = ours.status < 300 || theirs.status < 300;
    // Both may have used up ids, although one of them has refused earlier than the other.
    const mayHaveChanged = isChange && (succeeded || difference.parts.size > 0);
    if (mayHaveChanged && !(await both.reset()) && succeeded) difference.parts.add("state");
    if (difference.parts.size === 0) return;
    // A HEAD has no body with an error, so the bodies of the same GET explain its difference.
    if (request.method === "HEAD") {
      // A range of rows applies to GET only.
      const { range: _, ...headers } = request.headers;
      const [own, their] = await sendBoth({ ...request, method: "GET", headers });
      // Of several faults, the database finds the first in its plan, which the lack of a body changes.
      if (own.status < 400 || ours.status < 400) {
        expect([own.status, own.headers]).toEqual([ours.status, ours.headers]);
      }
      Object.assign(difference, { ours: own, theirs: their, parts: differingParts(own, their) });
    }
    const kinds = kindsOf(difference);
    if (kinds) for (const kind of kinds) used.add(kind);
    else unlisted.push({ ...difference, parts: [...difference.parts] });
  };

  const generated = Array.from({ length: Math.round(REQUESTS * (1 - CHANGES)) }, () =>
    random.once(4) ? callRequest(random) : readRequest(random),
  );
  const reads = [...RARE.filter(({ method }) => method === "GET"), ...generated].values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const request of reads) await compare(request, false);
    }),
  );
  for (const request of RARE.filter(({ method }) => method !== "GET")) await compare(request, true);
  for (let rest = Math.round(REQUESTS * CHANGES); rest > 0; rest -= 1) {
    await compare(random.once(6) ? callRequest(random, true) : writeRequest(random), true);
  }
  expect(unlisted).toEqual([]);
  // Fewer requests may miss a kind.
  if (LONG) expect(Object.keys(KINDS).filter((kind) => !used.has(kind))).toEqual([]);
});

test.skipIf(reasonWithoutPostgrest)("answers every read of the web app as PostgREST does", async () => {
  const { server, ours, theirs } = await serverBesidePostgrest();
  const owner = await ownerOfSize(server, "Ada", { memories: 10, media: 100, others: 10 });
  const stranger = await ownerOf(server, "Bob");
  const { body } = await open(server, owner.shareId);
  const listed = { ...KINDS, ...KINDS_OF_PRODUCT };
  const used = new Set<string>();
  const unlisted: unknown[] = [];
  let compared = 0;
  const readers = {
    owner: { bearer: owner.token, hasAccount: true },
    stranger: { bearer: stranger.token, hasAccount: true },
    guest: { bearer: String(body.token), hasAccount: false },
  };
  for (const [caller, reader] of Object.entries(readers)) {
    for (const exchange of await appRequests(server, owner, reader)) {
      const [own, their] = await Promise.all([send(ours, exchange), send(theirs, exchange)]);
      const parts = differingParts(own, their);
      const difference: Difference = { request: { ...exchange, caller, faults: 0 }, ours: own, theirs: their, parts };
      const kinds = parts.size > 0 ? kindsOf(difference, listed) : [];
      for (const kind of kinds ?? []) used.add(kind);
      if (!kinds) {
        const { method, path } = exchange;
        unlisted.push({ caller, method, path, parts: [...parts], own: own.body, their: their.body });
      }
      compared += 1;
    }
  }
  expect(unlisted).toEqual([]);
  expect([...used]).toEqual(expect.arrayContaining(Object.keys(KINDS_OF_PRODUCT)));
  expect(compared).toBeGreaterThan(150);
});
