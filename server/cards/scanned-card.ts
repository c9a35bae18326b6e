import { OpenCard, type OpenedCard } from "../../shared/card.ts";
import type { Database } from "../database/database.ts";
import type { AttemptLimiter } from "../sharing/share-attempts.ts";

interface Card {
  id: string;
  user_id: string | null;
  making: string;
  state: string;
  share_id: string | null;
}

/** The share id of a scanned card's code; undefined if the code opens nothing. */
export type ScanCard = (code: string, address: string) => Promise<string | undefined>;

/**
 * Resolves the code for the page of a scanned card, so that the share gate opens without loading the app. A GET counts
 * nothing: other sites' pages may cause it. A code has 12 characters, so it cannot be guessed without a count either. An
 * unknown code's page calls `open-card`, which counts it; from a locked address it therefore decides.
 */
export const scanCard =
  ({ db, cardAttempts }: { db: Database; cardAttempts: AttemptLimiter }): ScanCard =>
  async (written, address) => {
    const code = OpenCard.safeParse({ code: written }).data?.code;
    if (!code) return undefined;
    if (await cardAttempts.isLocked(address)) return undefined;
    const leadsTo = whereTo(await findCard(db, code), undefined);
    return leadsTo?.state === "assigned" ? leadsTo.shareId : undefined;
  };

export async function findCard(db: Database, code: string): Promise<Card | undefined> {
  const { rows } = await db.query<Card>(
    `select c.id, c.user_id, c.making, c.state, l.share_id from metal_cards c left join share_links l on l.id = c.link_id
     where c.code = $1 and c.making <> 'cancelled'`,
    [code],
  );
  return rows[0];
}

/** Where a card leads this person; undefined if nowhere. */
export function whereTo(card: Card | undefined, person: string | undefined): OpenedCard | undefined {
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
