import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { openSecrets } from "../../server/settings/secrets.ts";
import type { Database } from "../../shared/database.ts";
import { ensureCard } from "./ensure-card.ts";
import { ensureStories } from "./ensure-stories.ts";
import { family, PASSWORD } from "./family.ts";
import { paintLandscape } from "./landscape.ts";
import type { SeedMemory, SeedPerson, SeedPhoto } from "./seed-memory.ts";

/**
 * Adds the family to the server at `address` with the data folder `dataDir`. Uses the public API, so that all rules
 * apply, and the service key only for purchases and the voucher. Existing rows stay unchanged: after an interruption,
 * the next run adds the rest.
 */
async function main(address: string, dataDir: string) {
  const config: { supabaseUrl: string; supabaseAnonKey: string } = await (await fetch(`${address}/config.json`)).json();
  const connect = (key: string) =>
    createClient<Database>(address, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
  const service = connect((await openSecrets({ dataDir })).secretKey);
  const lines: string[] = [];
  for (const person of family) {
    const client = connect(config.supabaseAnonKey);
    const userId = await enter(client, person);
    if (person.plan) await ensurePlan(service, userId, person.plan);
    lines.push(`  Sign in      ${person.email} / ${PASSWORD}`);
    for (const memory of person.memories) {
      const id = await ensureMemory(client, memory);
      for (const photo of memory.photos) await ensurePhoto(client, id, photo);
      await ensureStories(client, id, memory.person_name);
      const shareId = await ensureLink(client, id, memory.pin);
      if (memory.card) {
        const { person_name } = memory;
        const bearer = { userId, email: person.email, memory: { id, person_name }, dates: memory.card };
        lines.push(`  Metal card   ${address}/c/${await ensureCard(service, bearer)}`);
      }
      if (memory.pin) lines.push(`  Shared link  ${address}/shared/${shareId}  PIN ${memory.pin}`);
    }
  }
  await ensureVoucher(service);
  lines.push(`  Voucher      ${address}/pricing?voucher=SPRING15`);
  console.log(`
A demonstration: an invented family, painted pictures, a data folder of its own.
  Open         ${address}
${lines.join("\n")}
Ctrl-C ends it.`);
}

/** Signs a person in, after signing up if there is no account. Resolves to the person's id. */
async function enter(client: SupabaseClient<Database>, { email, fullName }: SeedPerson): Promise<string> {
  const existingUser = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (existingUser.data.user) return existingUser.data.user.id;
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: fullName } },
  });
  if (error) throw error;
  if (!data.user) throw new Error(`${email} could not be signed up`);
  return data.user.id;
}

async function ensurePlan(service: SupabaseClient<Database>, userId: string, plan: string) {
  const plans = await service.from("user_subscriptions").select("id").eq("user_id", userId).limit(1).throwOnError();
  if (plans.data.length > 0) return;
  const expiresAt = new Date();
  expiresAt.setFullYear(expiresAt.getFullYear() + 1);
  const row = { user_id: userId, plan_id: plan, expires_at: expiresAt.toISOString() };
  await service.from("user_subscriptions").insert(row).throwOnError();
}

/** Adds a voucher for demonstrations: 15% off all products. */
const ensureVoucher = (service: SupabaseClient<Database>) =>
  service
    .from("vouchers")
    .upsert(
      { code: "SPRING15", percentage: 15, note: "For whoever tries the demonstration." },
      { onConflict: "code", ignoreDuplicates: true },
    )
    .throwOnError();

async function ensureMemory(
  client: SupabaseClient<Database>,
  { pin: _pin, card: _card, photos: _photos, ...row }: SeedMemory,
): Promise<string> {
  const existing = await client
    .from("memories")
    .select("id")
    .eq("person_name", row.person_name)
    .maybeSingle()
    .throwOnError();
  if (existing.data) return existing.data.id;
  console.log(`Bringing ${row.person_name}…`);
  const made = await client.from("memories").insert(row).select("id").single().throwOnError();
  return made.data.id;
}

async function ensurePhoto(client: SupabaseClient<Database>, memoryId: string, photo: SeedPhoto) {
  const { fileName, cover, ...landscape } = photo;
  const existing = await client
    .from("media")
    .select("id")
    .match({ memory_id: memoryId, file_name: fileName })
    .maybeSingle()
    .throwOnError();
  if (existing.data) return;
  const objectName = `${memoryId}/${randomUUID()}.jpg`;
  const picture = new Uint8Array(await paintLandscape(landscape));
  const { error } = await client.storage
    .from("media")
    .upload(objectName, picture, { contentType: "image/jpeg", metadata: { filename: fileName } });
  if (error) throw error;
  if (!cover) return;
  const { data } = await client.from("media").select("id").eq("object_name", objectName).single().throwOnError();
  await client.rpc("set_cover", { media_id: data.id }).throwOnError();
  await client.from("memories").update({ cover_x: cover.x, cover_y: cover.y }).eq("id", memoryId).throwOnError();
}

async function ensureLink(
  client: SupabaseClient<Database>,
  memoryId: string,
  pin: string | undefined,
): Promise<string> {
  const { data } = await client
    .from("share_links")
    .select("id, share_id, has_pin")
    .eq("memory_id", memoryId)
    .order("created_at")
    .limit(1)
    .single()
    .throwOnError();
  if (pin && !data.has_pin) {
    const { error } = await client.functions.invoke("share-pin", { body: { linkId: data.id, pin } });
    if (error) throw error;
  }
  return data.share_id;
}

await main(process.argv[2] ?? "http://localhost:3000", process.argv[3] ?? "data");
