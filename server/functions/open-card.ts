import { OpenCard, type OpenedCard } from "../../shared/card.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { Database } from "../database/database.ts";
import type { Identify } from "../supabase/callers.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";
import { type AttemptLimiter, lockedRefusal } from "./share-attempts.ts";
import { optionalCaller, tokenSubject } from "./share-link.ts";

export interface CardDeps {
  db: Database;
  identify: Identify;
  cardTries: AttemptLimiter;
}

interface Known {
  id: string;
  user_id: string | null;
  making: string;
  state: string;
  share_id: string | null;
}

/**
 * POST /functions/v1/open-card: resolves an engraved code to the share gate of its memory, to claiming an unclaimed
 * card, or to the holder's next step. All other codes get the same response and count like wrong PINs, so that codes
 * cannot be guessed.
 */
export const openCard =
  ({ db, identify, cardTries }: CardDeps): ServerFunction =>
  async (request, { address }) => {
    const { code } = await readBody(request, OpenCard);
    const caller = await optionalCaller(identify, request.headers.get("authorization") ?? undefined);
    const holder = await tokenSubject(db, caller);
    const attempt = await cardTries.begin(`card ${code}`, address);
    if (!attempt.allowed) throw lockedRefusal(attempt, "Too many attempts. Please try again later.");
    const leadsTo = whereTo(await findCard(db, code), holder.sub);
    if (!leadsTo) throw new RequestError("card_unknown");
    await attempt.refund();
    return Response.json(leadsTo, { headers: { "cache-control": "no-store" } });
  };

/** The share id of a scanned card's code; undefined if the code opens nothing. */
export type ScanCard = (code: string, address: string) => Promise<string | undefined>;

/**
 * Resolves the code for the page of a scanned card, so that the share gate opens without loading the app. A GET counts
 * nothing: other sites' pages may cause it. A code has 12 characters, so it cannot be guessed without a count either. An
 * unknown code's page calls `open-card`, which counts it; from a locked address it therefore decides.
 */
export const scanCard =
  ({ db, cardTries }: Pick<CardDeps, "db" | "cardTries">): ScanCard =>
  async (written, address) => {
    const code = OpenCard.safeParse({ code: written }).data?.code;
    if (!code) return undefined;
    if (await cardTries.isLocked(address)) return undefined;
    const leadsTo = whereTo(await findCard(db, code), undefined);
    return leadsTo?.state === "assigned" ? leadsTo.shareId : undefined;
  };

async function findCard(db: Database, code: string): Promise<Known | undefined> {
  const { rows } = await db.query<Known>(
    `select c.id, c.user_id, c.making, c.state, l.share_id from metal_cards c left join share_links l on l.id = c.link_id
     where c.code = $1 and c.making <> 'cancelled'`,
    [code],
  );
  return rows[0];
}

function whereTo(card: Known | undefined, person: string | undefined): OpenedCard | undefined {
  if (!card) return undefined;
  const yours = person !== undefined && card.user_id === person;
  // Nobody but its holder can have the code of a card that is not engraved yet, because nobody can have scanned it.
  if (!yours && (card.making === "waiting" || card.making === "ordered")) return undefined;
  if (card.state === "assigned" && card.share_id) return { state: "assigned", shareId: card.share_id, yours };
  if (card.state === "unclaimed") return { state: "unclaimed", yours, ...(yours && { cardId: card.id }) };
  if (!yours) return undefined;
  const state = card.state === "lost" || card.state === "disabled" ? card.state : "claimed";
  return { state, yours: true, cardId: card.id };
}
