import { createClient } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import WebSocket from "ws";
import type { Database } from "../../../shared/database.ts";
import { makeCover } from "./after-stored.ts";

// Node 20 has none. The client wants one although nothing opens it here.
vi.stubGlobal("WebSocket", WebSocket);

const UPLOAD = { id: "11111111-1111-4111-8111-111111111111", memoryId: "22222222-2222-4222-8222-222222222222" };

/** Chooses a stored photo as cover, which the server answers with this status. */
function choose(status: number) {
  const answer = async (url: RequestInfo | URL) =>
    String(url).includes("/rpc/set_cover")
      ? new Response(status === 204 ? null : JSON.stringify({ message: "No", code: "X" }), { status })
      : new Response(JSON.stringify([{ id: "33333333-3333-4333-8333-333333333333" }]), {
          headers: { "content-type": "application/json" },
        });
  const client = createClient<Database>("http://127.0.0.1:9", "key", { global: { fetch: answer } });
  return makeCover(client, { ...UPLOAD, type: "image/jpeg" });
}

test.each([204, 400, 403, 404, 409])(
  "a photo is added also if the choice of the cover was answered with %i",
  async (status) => {
    await expect(choose(status)).resolves.toBeUndefined();
  },
);

test.each([401, 429, 500, 503])("the choice of the cover is tried again after %i", async (status) => {
  await expect(choose(status)).rejects.toMatchObject({ message: "No" });
});
