import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { receiptMail } from "../orders/order-emails.ts";
import type { Identify } from "../supabase/callers.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";

const Wanted = z.object({ order: z.uuid() });

/** POST /functions/v1/resend-receipt: sends a paid order's receipt again, for administrators and support. */
export const resendReceipt =
  ({ db, identify, site }: { db: Database; identify: Identify; site: string }): ServerFunction =>
  async (request) => {
    const caller = await identify({ authorization: request.headers.get("authorization") ?? undefined });
    if (caller.role === "anon") throw new RequestError("not_signed_in");
    const { order } = await readBody(request, Wanted);
    await asCaller(db, caller, async (tx) => {
      const mail = await receiptMail(tx, order, site);
      if (!mail) throw new RequestError("not_found", { message: "There is no receipt to send for this order." });
      await tx.query("select private.resend_receipt($1, $2)", [order, mail.props]);
    });
    return Response.json({ sent: true }, { headers: { "cache-control": "no-store" } });
  };
