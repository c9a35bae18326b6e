import type { DeviceKind } from "../../shared/device-kind.ts";
import type { Transaction } from "../database/database.ts";

/** Writes down that a link was opened, for its managers; to the hour, and with whom only where they were signed in. */
export async function noteOpening(db: Transaction, linkId: string, by: { person?: string; device: DeviceKind }) {
  await db.query(
    `insert into share_openings as known (link_id, user_id, device) values ($1, $2, $3)
     on conflict on constraint one_row_an_hour do update set times = known.times + 1`,
    [linkId, by.person ?? null, by.device],
  );
}
