import { z } from "zod";
import { deviceKeys, dropDeviceKey } from "../sharing/device-cookie.ts";
import { deviceOf } from "../sharing/share-token.ts";
import { endpoint } from "./endpoint.ts";

/** The link to forget; without it, all links that this device stays admitted to. */
const ForgetDevice = z.object({ shareId: z.string().min(1).max(64).optional() });

/**
 * POST /functions/v1/forget-device: a device gives up that it stays admitted to a link, or to all its links. Also ends
 * the link's token that is the bearer, and the other tokens of this device.
 */
export const forgetDevice = endpoint(
  { ownPagesOnly: true, caller: "optional", body: ForgetDevice },
  async ({ devices, settings, caller, body: { shareId }, request }) => {
    const keys = deviceKeys(request.headers.get("cookie"));
    const shareIds = shareId === undefined ? [...keys.keys()] : [shareId];
    const device = deviceOf(caller);
    await devices.forget(
      shareIds.flatMap((id) => keys.get(id) ?? []),
      device === undefined ? [] : [device],
    );
    const headers = new Headers();
    for (const id of shareIds) dropDeviceKey(headers, settings.PUBLIC_URL ?? request.url, id);
    return Response.json({}, { headers });
  },
);
