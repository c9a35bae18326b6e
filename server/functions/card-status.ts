import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller } from "../database/as-caller.ts";
import type { MakingDeps } from "./engraver-pack.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

const Sent = z.object({
  /** The order's number, or one card's code. */
  of: z.string().trim().min(1).max(64),
  carrier: z.string().trim().max(60).default(""),
  number: z.string().trim().max(60).default(""),
  url: z.union([z.literal(""), z.url({ protocol: /^https$/ }).max(500)]).default(""),
});

/**
 * POST /functions/v1/card-status: says that engraved cards, all those of an order or a single one, are on their way, and
 * by whom; for administrators. Their buyer is told once.
 */
export const cardStatus =
  ({ db, identify, publicUrl }: Omit<MakingDeps, "pins">): ServerFunction =>
  async (request) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    if (caller.role === "anon") throw new RequestError("not_signed_in");
    const { of, carrier, number, url } = await readBody(request, Sent);
    const sent = await asCaller(db, caller, async (tx) => {
      const cards = await tx.query<{ id: string }>(
        `select c.id from metal_cards c join private.cards_to_engrave($1) m on m.id = c.id where c.making = 'engraved'
         union select c.id from metal_cards c where c.code = $1 and c.making = 'engraved'`,
        [of],
      );
      const ids = cards.rows.map(({ id }) => id);
      const told = await tx.query<{ card_id: string }>(
        `update card_deliveries set carrier = $2, tracking_number = $3, tracking_url = $4 where card_id = any ($1)
         returning card_id`,
        [ids, carrier, number, url],
      );
      const { rows } = await tx.query<{ id: string }>(
        "update metal_cards set making = 'sent' where id = any ($1) returning id",
        [told.rows.map(({ card_id }) => card_id)],
      );
      const moved = rows.map(({ id }) => id);
      await tx.query("select private.enqueue_card_email($1, 'sent', $2)", [moved, `${publicUrl}/cards`]);
      return moved.length;
    });
    if (sent === 0) throw new RequestError("not_found", { message: "There is no engraved card to dispatch." });
    return Response.json({ sent }, { headers: { "cache-control": "no-store" } });
  };
