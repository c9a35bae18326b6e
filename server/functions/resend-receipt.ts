import { z } from "zod";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller } from "../database/as-caller.ts";
import { receiptMail } from "../orders/order-emails.ts";
import { endpoint } from "./endpoint.ts";

const ResendReceipt = z.object({ order: z.uuid() });

/** POST /functions/v1/resend-receipt: sends a paid order's receipt again, for administrators and support. */
export const resendReceipt = endpoint(
  { caller: "staff", body: ResendReceipt },
  async ({ db, site, caller, body: { order } }) => {
    await asCaller(db, caller, async (tx) => {
      const mail = await receiptMail(tx, order, site);
      if (!mail) throw new RequestError("not_found", { message: "There is no receipt to send for this order." });
      await tx.query("select private.resend_receipt($1, $2)", [order, mail.props]);
    });
    return { sent: true };
  },
);
