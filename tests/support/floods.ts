import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import type { HostileTarget } from "./hostile-requests.ts";
import { sendRaw } from "./hostile-requests.ts";
import { joinsForUnknownTables, sendHostile } from "./hostile-sockets.ts";
import { newRow } from "./sharing.ts";
import { freshName, uploadResumably } from "./uploads.ts";

/** Many ordinary requests of one person or visitor at once. Each alone is correct. */
export interface Flood {
  name: string;
  /** Sends all, and resolves when all are answered. */
  send(): Promise<unknown>;
}

/** What the floods use, made by {@link floodedAccount}. */
export interface FloodTarget extends HostileTarget {
  /** The public id of the memory's link, which anybody may open. */
  shareId: string;
  /** The name of a stored photo. */
  photo: string;
  /** A paid order with many lines. */
  order: string;
}

const times = (count: number, send: (index: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => send(index)));

/** Prepares an account for the floods: a shared memory with a photo and long stories, and a paid order. */
export async function floodedAccount(
  target: HostileTarget,
  { owner, service, photo }: { owner: SupabaseClient; service: SupabaseClient; photo: Buffer },
): Promise<FloodTarget> {
  const { id, share_id: shareId } = await newRow(owner, "memories", { person_name: "Rosa" }, "id", "share_id");
  await owner.from("share_links").update({ shared_at: "now" }).eq("memory_id", id).throwOnError();
  const name = freshName(id);
  await owner.storage.from("media").upload(name, photo, { contentType: "image/jpeg" });
  const story = { memory_id: id, title: "Long", body: `<p>${"A long summer. ".repeat(4000)}</p>` };
  for (let n = 0; n < 12; n++) await owner.from("stories").insert(story).throwOnError();
  const { data: user } = await owner.auth.getUser();
  const order = randomUUID();
  const paid = { status: "paid", paid_at: new Date().toISOString() };
  await service
    .from("orders")
    .insert({
      id: order,
      user_id: user.user?.id,
      email: user.user?.email,
      currency: "GBP",
      subtotal: 0,
      total: 0,
      ...paid,
    })
    .throwOnError();
  const line = {
    order_id: order,
    kind: "plan",
    quantity: 1,
    unit_amount: 0,
    total: 0,
    terms: { name: "Skies Memories" },
  };
  await service
    .from("order_items")
    .insert(Array.from({ length: 40 }, () => ({ ...line, plan_id: "skies-memories" })))
    .throwOnError();
  const flooded = { ...target, memory: id, shareId, photo: name, order };
  await expectAnswers(flooded);
  return flooded;
}

/** Fails unless the prepared rows are answered: refusals cost the server little, so a flood of them would prove nothing. */
async function expectAnswers(target: FloodTarget) {
  for (const [path, body] of [
    ["/functions/v1/order-receipt", { order: target.order }],
    ["/functions/v1/open-share", { shareId: target.shareId, screen: true, language: "en" }],
    ["/storage/v1/object/sign/media", { expiresIn: 60, paths: [target.photo] }],
  ] as const) {
    const { status, text } = await sendRaw(target, { method: "POST", path, body: JSON.stringify(body) });
    expect([path, status], text.slice(0, 200)).toEqual([path, 200]);
    expect(text).not.toContain('"signedURL":null');
  }
}

/** One flood of each kind of work: reading, opening, writing, signing, uploading, drawing, pages and sockets. */
export function floods(target: FloodTarget, keys: { publishable: string }): Flood[] {
  const post = (path: string, body: unknown, anonymous = false) =>
    sendRaw(target, { method: "POST", path, body: JSON.stringify(body), anonymous });
  const get = (path: string, headers = {}) => sendRaw(target, { path, headers });
  const nested = "/rest/v1/memories?select=*,media(*,comments(*)),stories(*),comments(*)";
  const ids = Array.from({ length: 200 }, () => randomUUID()).join();
  const openings = { shareId: target.shareId, screen: true, language: "en" };
  const entities = { memory_id: target.memory, title: "x", body: "&#x41;".repeat(60_000) };
  const signing = { expiresIn: 60, paths: Array.from({ length: 500 }, () => target.photo) };
  const guess = () => ({ email: `${randomUUID()}@example.com`, password: "x".repeat(60) });
  const sockets = () => sendHostile({ url: target.url, keys }, joinsForUnknownTables(20));
  const bytes = Buffer.alloc(100, 1);
  const byteByByte = () =>
    uploadResumably({ ...target, name: freshName(target.memory), bytes }, { chunkSize: 1 }).catch(() => {});
  return [
    { name: "300 nested lists", send: () => times(300, () => get(nested)) },
    { name: "200 lists by 200 ids", send: () => times(200, () => get(`/rest/v1/media?select=id&id=in.(${ids})`)) },
    {
      name: "60 openings with a screen",
      send: () => times(60, () => post("/functions/v1/open-share", openings, true)),
    },
    { name: "12 stories of 60,000 entities", send: () => times(12, () => post("/rest/v1/stories", entities)) },
    { name: "40 times 500 signed links", send: () => times(40, () => post("/storage/v1/object/sign/media", signing)) },
    {
      name: "40 wrong passwords",
      send: () => times(40, () => post("/auth/v1/token?grant_type=password", guess(), true)),
    },
    { name: "20 receipts", send: () => times(20, () => post("/functions/v1/order-receipt", { order: target.order })) },
    { name: "10 uploads of one byte a request", send: () => times(10, byteByByte) },
    {
      name: "500 requests for heads and options",
      send: () => times(500, (n) => sendRaw(target, { method: n % 2 ? "HEAD" : "OPTIONS", path: "/rest/v1/memories" })),
    },
    {
      name: "200 pages that do not exist",
      send: () => times(200, (n) => get(`/nothing/${n}`, { accept: "text/html" })),
    },
    { name: "200 pages of the blog", send: () => times(200, (n) => get(`/blog?x=${n}`, { accept: "text/html" })) },
    {
      name: "200 pages of a link",
      send: () => times(200, () => get(`/shared/${target.shareId}`, { accept: "text/html" })),
    },
    { name: "300 sockets with 20 joins each", send: () => times(300, sockets) },
  ];
}
