import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { NewPictureRequest } from "../../../../shared/picture-request.ts";
import { tabStorage } from "../../../lib/browser/storage.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";

/** An error if a request could not be sent. */
class RequestFailure extends Error {
  constructor(
    readonly why: "tooMany" | "failed",
    cause: unknown,
  ) {
    super("Failed to send the request", { cause });
  }
}

/**
 * Returns the reader's request about a picture in this tab, and the mutations that send one and take it back. Sending
 * rejects with `RequestFailure`.
 */
export function useAskNotMe(client: SupabaseClient, mediaId: string) {
  const key = `skies-asked-${mediaId}`;
  // The tab remembers it, because a visitor cannot read requests.
  const [asked, setAsked] = useState(() => tabStorage.getItem(key));
  const call = async (body: NewPictureRequest | { withdraw: string }) => {
    const { data, error, response } = await client.functions.invoke<{ id?: string }>("picture-request", { body });
    if (error) throw new RequestFailure(response?.status === 429 ? "tooMany" : "failed", error);
    return data;
  };
  const send = useMutation<void, RequestFailure, NewPictureRequest>({
    mutationFn: async (request) => {
      const { id } = (await call(request)) ?? {};
      if (!id) throw new RequestFailure("failed", undefined);
      tabStorage.setItem(key, id);
      setAsked(id);
    },
  });
  const withdraw = useMutation<void, RequestFailure, string>({
    mutationFn: async (id) => {
      await call({ withdraw: id });
      tabStorage.removeItem(key);
      setAsked(null);
    },
  });
  return { asked, send, withdraw };
}
