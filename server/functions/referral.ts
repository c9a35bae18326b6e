import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { SignedIn } from "../supabase/auth/signed-in.ts";

/** By whose link a buyer says that they came, and when; whatever it is, nobody is kept from buying by it. */
export const Referral = {
  affiliate_code: z.string().max(40).nullish().catch(null),
  affiliate_visited_at: z.iso.datetime({ offset: true }).nullish().catch(null),
};

export interface GivenReferral {
  affiliate_code?: string | null | undefined;
  affiliate_visited_at?: string | null | undefined;
}

/** The code of the affiliate to whom a purchase counts, by the database's own rule; undefined where it counts to nobody. */
export async function referringCode(db: Database, buyer: SignedIn, given: GivenReferral): Promise<string | undefined> {
  if (!given.affiliate_code || !given.affiliate_visited_at) return undefined;
  const { rows } = await db.query<{ code: string | null }>("select private.referring_code($1, $2, $3, $4) as code", [
    ...[given.affiliate_code, given.affiliate_visited_at, buyer.id, buyer.email ?? ""],
  ]);
  return rows[0]?.code ?? undefined;
}
