import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { createStore, useStore } from "../lib/browser/store.ts";
import type { SupabaseClient } from "../lib/request/database-client.ts";
import { refresh } from "../lib/request/refresh.ts";
import { renditionUrl } from "../lib/request/rendition-url.ts";
import { mediaUrlsQuery } from "./media.queries.ts";
import { queryKeys } from "./query-keys.ts";

const BUCKET = "avatars";
const NONE: Record<string, string> = {};

/**
 * Version number, increased when the person's own picture changes: its signed URL stays the same, so it would be
 * cached.
 */
const changes = createStore(0);

/** Returns the URLs of people's pictures by id. People without a picture visible to the client are missing. */
export function useAvatars(client: SupabaseClient, scope: string, people: readonly (string | null)[]) {
  const version = useStore(changes);
  const ids = useMemo(() => [...new Set(people.filter((id) => id !== null))].sort(), [people]);
  const urls = useQuery(mediaUrlsQuery(client, scope, ids, BUCKET)).data;
  return useMemo(
    () =>
      urls
        ? Object.fromEntries(
            Object.entries(urls).map(([id, url]) => [id, `${renditionUrl(url, 320)}&version=${version}`]),
          )
        : NONE,
    [urls, version],
  );
}

/** A person's picture in full size; null without one. */
export async function readAvatar(client: SupabaseClient, id: string): Promise<Blob | null> {
  const { data } = await client.storage.from(BUCKET).download(id);
  return data;
}

/** Replaces a person's own picture, or removes it with null. */
export function useSaveAvatar(client: SupabaseClient, id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (picture: Blob | null) => {
      const bucket = client.storage.from(BUCKET);
      const { error } = picture
        ? await bucket.upload(id, picture, { upsert: true, contentType: picture.type })
        : await bucket.remove([id]);
      if (error) throw error;
    },
    onSuccess: (_saved, picture) => {
      if (picture) changes.set(changes.get() + 1);
      return refresh(cache, queryKeys.mediaUrls(BUCKET));
    },
  });
}
