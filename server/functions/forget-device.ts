import { z } from "zod";
import type { Identify } from "../supabase/callers.ts";
import { deviceKeys, dropDeviceKey } from "./device-cookie.ts";
import type { LinkDevices } from "./link-devices.ts";
import type { ServerFunction } from "./mount.ts";
import { readBody } from "./request-body.ts";
import { deviceOf, optionalCaller } from "./share-link.ts";

/** The link to forget; without it, all links that this device stays admitted to. */
const ForgetDevice = z.object({ shareId: z.string().min(1).max(64).optional() });

interface Deps {
  devices: LinkDevices;
  identify: Identify;
  /** The site's URL; undefined to take it from each request. */
  site: string | undefined;
}

/**
 * POST /functions/v1/forget-device: a device gives up that it stays admitted to a link, or to all its links. Also ends
 * the link's token that is the bearer, and the other tokens of this device.
 */
export const forgetDevice =
  ({ devices, identify, site }: Deps): ServerFunction =>
  async (request) => {
    const { shareId } = await readBody(request, ForgetDevice);
    const caller = await optionalCaller(identify, request.headers.get("authorization") ?? undefined);
    const stored = deviceKeys(request.headers.get("cookie"));
    const forgotten = shareId === undefined ? [...stored.keys()] : [shareId];
    const device = deviceOf(caller);
    await devices.forget(
      forgotten.flatMap((id) => stored.get(id) ?? []),
      device === undefined ? [] : [device],
    );
    const headers = new Headers({ "cache-control": "no-store" });
    const secure = isSecure(site, request);
    for (const id of forgotten) dropDeviceKey(headers, id, { secure });
    return Response.json({}, { headers });
  };

/** Whether browsers reach the site by HTTPS only. */
export const isSecure = (site: string | undefined, request: Request): boolean =>
  new URL(site ?? request.url).protocol === "https:";
