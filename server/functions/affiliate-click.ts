import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const Click = z.object({
  code: z.string().trim().min(1).max(40),
  /** A random id that the browser keeps for one day, so that a repeated report counts once. */
  visit: z.uuid(),
});

/** Maximum counted visits per address in an hour: enough for a household or a café, too few for a script. */
const VISITS_AN_HOUR = 30;
const DAY = 24 * 60 * 60;

/**
 * POST /functions/v1/affiliate-click: counts a visit by an affiliate's link, with the visitor's consent. Address and
 * visit are stored only as keyed hashes that expire. The response is the same for every code.
 */
export const affiliateClick = endpoint(
  { ownPagesOnly: true, caller: "anyone", body: Click },
  async ({ db, limits, caller, body: { code, visit }, address }) => {
    await limits.spend([{ key: `affiliate clicks from ${address}`, most: VISITS_AN_HOUR, seconds: 3600 }]);
    const { count } = await limits.count(`affiliate click ${code.toUpperCase()} ${visit}`, DAY);
    if (count === 1) await db.query("select private.count_affiliate_click($1, $2)", [code, caller.sub ?? null]);
    return {};
  },
);
