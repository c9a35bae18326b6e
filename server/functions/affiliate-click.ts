import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Limits } from "../supabase/auth/limits.ts";
import type { Identify } from "../supabase/callers.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

const Click = z.object({
  code: z.string().trim().min(1).max(40),
  /** A random id that the browser keeps for one day, so that a repeated report counts once. */
  visit: z.uuid(),
});

/** Maximum counted visits per address in an hour: enough for a household or a café, too few for a script. */
const VISITS_AN_HOUR = 30;
const DAY = 24 * 60 * 60;

export interface ClickDeps {
  db: Database;
  identify: Identify;
  limits: Limits;
}

/**
 * POST /functions/v1/affiliate-click: counts a visit by an affiliate's link, with the visitor's consent. Address and
 * visit are stored only as keyed hashes that expire. The response is the same for every code.
 */
export const affiliateClick =
  ({ db, identify, limits }: ClickDeps): ServerFunction =>
  async (request, { address }) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    const { code, visit } = await readBody(request, Click);
    await limits.spend([{ key: `affiliate clicks from ${address}`, most: VISITS_AN_HOUR, seconds: 3600 }]);
    const { count } = await limits.count(`affiliate click ${code.toUpperCase()} ${visit}`, DAY);
    if (count === 1) await db.query("select private.count_affiliate_click($1, $2)", [code, caller.sub ?? null]);
    return Response.json({}, { headers: { "cache-control": "no-store" } });
  };
