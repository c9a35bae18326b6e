import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { SupabaseClient } from "../../../lib/database-client.ts";
import { type Near, type NearMedia, nearMedia, type Wanted } from "../../media/media.queries.ts";

const NearContext = createContext<NearMedia | undefined>(undefined);

/** Hands the page's addresses and placeholders to whatever shows a photo of it. */
export const NearProvider = NearContext.Provider;

/** A page's own store of addresses and placeholders, asked for as this client. */
export function useOwnNearMedia(client: SupabaseClient): NearMedia {
  const [near] = useState(() => nearMedia(client));
  return near;
}

export function useNearMedia(): NearMedia {
  const near = useContext(NearContext);
  if (!near) throw new Error("useNearMedia must be used within a NearProvider");
  return near;
}

const NOTHING: Near = {};
const RENEW_EVERY_MS = 60_000;

/** What is known of a photo's address and placeholder so far; nothing is asked for by this. */
export function useNear(photo: Wanted | null | undefined, near = useNearMedia()): Near {
  return useSyncExternalStore(near.subscribe, () => (photo ? near.get(photo.id) : NOTHING));
}

/** One photo that is near for as long as it is shown, and what is known of it. */
export function useWantedPhoto(photo: Wanted | null | undefined, near = useNearMedia()): Near {
  useWanted(
    useMemo(() => (photo ? [photo] : []), [photo]),
    near,
  );
  return useNear(photo, near);
}

/** Says that these photos are near for as long as they are, so that their addresses are asked for and kept fresh. */
export function useWanted(photos: readonly Wanted[], near = useNearMedia()) {
  useEffect(() => {
    near.want(photos);
    const timer = setInterval(() => near.want(photos), RENEW_EVERY_MS);
    const unsubscribe = near.subscribe(() => near.want(photos));
    return () => {
      clearInterval(timer);
      unsubscribe();
      near.pass(photos);
    };
  }, [near, photos]);
}
