import { expect } from "vitest";
import type { Random } from "../fuzz/random.ts";
import { differingParts, errorOf } from "./compare.ts";
import { kindsOf } from "./differences.ts";
import type { Difference } from "./kind.ts";
import { RARE } from "./rare-requests.ts";
import { callRequest, type GeneratedRequest, readRequest, writeRequest } from "./requests.ts";
import { type Response, send } from "./send.ts";
import type { TwoLibraries } from "./two-libraries.ts";

/** The share of requests that can change rows; these are sent one after another. */
const CHANGES = 0.3;
const AT_ONCE = 8;
/** Of every three requests, one has what the generator makes rarely as often as the rest. */
const RARITIES = [1, 0.7, 0.4];

/** Whether a server ran out of time or connections, as either may on a busy machine. */
const ranOut = (response: Response) => response.status === 503 || errorOf(response).code === "57014";

/** Sends generated requests to both servers. Resolves to the kinds of differences, and to those without a kind. */
export async function compareGenerated(both: TwoLibraries, random: Random, requests: number) {
  const used = new Set<string>();
  const unlisted: Difference[] = [];

  const sendBoth = (request: GeneratedRequest): Promise<[Response, Response]> => {
    const exchange = { ...request, headers: { ...request.headers, ...both.callers[request.caller] } };
    return Promise.all([send(both.ours, exchange), send(both.theirs, exchange)]);
  };

  const compare = async (request: GeneratedRequest, isChange: boolean) => {
    let [ours, theirs] = await sendBoth(request);
    for (let again = 0; again < 3 && !isChange && ranOut(ours) !== ranOut(theirs); again += 1) {
      [ours, theirs] = await sendBoth(request);
    }
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
    else unlisted.push(difference);
  };

  const made = (make: () => GeneratedRequest) => {
    random.rarity = random.pick(RARITIES);
    return make();
  };
  const generated = Array.from({ length: Math.round(requests * (1 - CHANGES)) }, () =>
    made(() => (random.once(4) ? callRequest(random) : readRequest(random))),
  );
  const reads = [...RARE.filter(({ method }) => method === "GET"), ...generated].values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const request of reads) await compare(request, false);
    }),
  );
  for (const request of RARE.filter(({ method }) => method !== "GET")) await compare(request, true);
  for (let rest = Math.round(requests * CHANGES); rest > 0; rest -= 1) {
    await compare(
      made(() => (random.once(6) ? callRequest(random, true) : writeRequest(random))),
      true,
    );
  }
  return { used, unlisted: unlisted.map((difference) => ({ ...difference, parts: [...difference.parts] })) };
}
