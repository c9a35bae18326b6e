import { expect, test } from "vitest";
import { Random } from "../support/fuzz/random.ts";
import { LONG, sized } from "../support/long-tests.ts";
import { ownerOfSize } from "../support/owner-of-size.ts";
import { appRequests } from "../support/postgrest/app-requests.ts";
import { differingParts } from "../support/postgrest/compare.ts";
import { compareGenerated } from "../support/postgrest/compare-generated.ts";
import { KINDS, kindsOf } from "../support/postgrest/differences.ts";
import { KINDS_OF_PRODUCT } from "../support/postgrest/differences-of-product.ts";
import type { Difference } from "../support/postgrest/kind.ts";
import { reasonWithoutPostgrest } from "../support/postgrest/program.ts";
import { send } from "../support/postgrest/send.ts";
import { serverBesidePostgrest, twoLibraries } from "../support/postgrest/two-libraries.ts";
import { open, ownerOf } from "../support/sharing.ts";

/** Fixed, so that a failure can be reproduced. Long runs use a new seed each time. */
const SEED = Number(process.env.FUZZ_SEED ?? sized(20_261_126, Date.now() % 2 ** 32));
const REQUESTS = sized(2000, 8000);

if (reasonWithoutPostgrest) console.warn(`No comparison with PostgREST: ${reasonWithoutPostgrest}`);

test.skipIf(reasonWithoutPostgrest)(`answers as PostgREST does, seed ${SEED}`, { timeout: 1_800_000 }, async () => {
  const { used, unlisted } = await compareGenerated(await twoLibraries(), new Random(SEED), REQUESTS);
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
