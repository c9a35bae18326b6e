import { type DeviceKind, deviceKind } from "../../shared/device-kind.ts";
import { OpenShare } from "../../shared/share.ts";
import { VISITOR } from "../database/as-caller.ts";
import { type Database, queryWhileMoving } from "../database/database.ts";
import { admit } from "../sharing/admission.ts";
import { deviceKeys, dropOldKeys, keepDeviceKey } from "../sharing/device-cookie.ts";
import { newDeviceKey } from "../sharing/link-devices.ts";
import { deviceOf, opened } from "../sharing/share-token.ts";
import { optionalCaller } from "../supabase/callers.ts";
import { endpoint } from "./endpoint.ts";

/**
 * POST /functions/v1/open-share: opens a link, with its PIN or passphrase if it has one. Responds with a token for the
 * link's content and, with `screen`, the data of the first screen. The link of an invitation requires the token of one
 * of its emails and, once accepted, the account that accepted it; without a token it is called incomplete. A missing
 * link and a draft's link get the same response as a wrong PIN. Only a caller who would have been admitted learns that a
 * link was revoked or has expired; nobody learns that they are blocked.
 */
export const openShare = endpoint({ ownPagesOnly: true, caller: "optional", body: OpenShare }, async (input) => {
  const { db, tokens, identify, guests, devices, firstScreen, settings, caller, request, address } = input;
  const { shareId, held: earlierToken, guestKey, invitation, screen, language, ...secrets } = input.body;
  const site = settings.PUBLIC_URL ?? new URL(request.url).origin;
  const userAgent = request.headers.get("user-agent");
  const bearer = request.headers.get("authorization")?.replace(/^Bearer\s+/i, "");
  const storedKeys = deviceKeys(request.headers.get("cookie"));
  const deviceKey = storedKeys.get(shareId);
  const earlierCaller =
    earlierToken === undefined ? undefined : await optionalCaller(identify, `Bearer ${earlierToken}`);
  const { link, holder, continues } = await admit(input, {
    shareId,
    caller,
    earlierCaller,
    tokens: [earlierToken, bearer],
    guestKey,
    deviceKey,
    invitation,
    secrets,
    address,
  });
  // A visit that continues is not counted again.
  if (!continues) await noteOpening(db, link.id, { person: holder.sub, device: deviceKind(userAgent) });
  const guest = holder.sub === undefined && guestKey ? await guests.find(link.id, guestKey) : null;
  const headers = new Headers({ "content-type": "application/json" });
  const answer = await opened(tokens, link, { holder, guest, device: await stayAdmitted() });
  const options = { site, address, language, hasAccount: holder !== VISITOR };
  const json = screen ? await firstScreen(answer, options) : undefined;
  // The JSON text of the first screen is not parsed again.
  const text = JSON.stringify(answer);
  return new Response(json ? `${text.slice(0, -1)},"screen":${json}}` : text, { headers });

  /** Adds the device to those that stay admitted without the secret, unless the token names it. Resolves to its id. */
  async function stayAdmitted(): Promise<string | undefined> {
    if (link.secret === null || link.invitation !== null) return undefined;
    const id = deviceOf(caller) ?? (earlierCaller && deviceOf(earlierCaller));
    if (continues && id !== undefined && (await devices.exists(link, id))) return id;
    const key = deviceKey ?? newDeviceKey();
    const newId = await devices.admit(link, key, userAgent);
    if (newId === undefined) return undefined;
    keepDeviceKey(headers, site, shareId, key);
    if (deviceKey === undefined) dropOldKeys(headers, site, storedKeys);
    return newId;
  }
});

/** Records the opening of a link for its managers: the hour, the device, and the person only if they were signed in. */
async function noteOpening(db: Database, linkId: string, by: { person?: string | undefined; device: DeviceKind }) {
  await queryWhileMoving(
    db,
    `insert into share_openings as known (link_id, user_id, device) values ($1, $2, $3)
     on conflict on constraint one_row_an_hour do update set times = known.times + 1`,
    [linkId, by.person ?? null, by.device],
  );
}
