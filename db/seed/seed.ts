import { randomUUID } from "node:crypto";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import WebSocket from "ws";
import { family, PASSWORD, type SeedMemory, type SeedPerson, type SeedPhoto } from "./family.ts";
import { paintLandscape } from "./landscape.ts";

/**
 * Brings the family to a running server through the same doors as everyone else, so that every rule holds for it too.
 * What is there already stays as it is: an interrupted run is finished by the next one.
 */
async function main(address: string) {
  const config: { supabaseUrl: string; supabaseAnonKey: string } = await (await fetch(`${address}/config.json`)).json();
  const lines: string[] = [];
  for (const person of family) {
    const client = createClient(address, config.supabaseAnonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
    await enter(client, person);
    lines.push(`  Sign in      ${person.email} / ${PASSWORD}`);
    for (const memory of person.memories) {
      const id = await ensureMemory(client, memory);
      for (const photo of memory.photos) await ensurePhoto(client, id, photo);
      const shareId = await ensureLink(client, id, memory.pin);
      if (memory.pin) lines.push(`  Shared link  ${address}/shared/${shareId}  PIN ${memory.pin}`);
    }
  }
  console.log(`
A demonstration: an invented family, painted pictures, a data folder of its own.
  Open         ${address}
${lines.join("\n")}
Ctrl-C ends it.`);
}

async function enter(client: SupabaseClient, { email, fullName }: SeedPerson) {
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (!error) return;
  const { error: refused } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: fullName } },
  });
  if (refused) throw refused;
}

async function ensureMemory(
  client: SupabaseClient,
  { pin: _pin, photos: _photos, ...row }: SeedMemory,
): Promise<string> {
  const known = await client
    .from("memories")
    .select("id")
    .eq("person_name", row.person_name)
    .maybeSingle()
    .throwOnError();
  if (known.data) return known.data.id;
  console.log(`Bringing ${row.person_name}…`);
  const made = await client.from("memories").insert(row).select("id").single().throwOnError();
  return made.data.id;
}

async function ensurePhoto(client: SupabaseClient, memoryId: string, photo: SeedPhoto) {
  const { fileName, cover, ...landscape } = photo;
  const known = await client
    .from("media")
    .select("id")
    .match({ memory_id: memoryId, file_name: fileName })
    .maybeSingle()
    .throwOnError();
  if (known.data) return;
  const objectName = `${memoryId}/${randomUUID()}.jpg`;
  const picture = new Uint8Array(await paintLandscape(landscape));
  const { error } = await client.storage
    .from("media")
    .upload(objectName, picture, { contentType: "image/jpeg", metadata: { filename: fileName } });
  if (error) throw error;
  if (!cover) return;
  const { data } = await client.from("media").select("id").eq("object_name", objectName).single().throwOnError();
  await client.rpc("set_cover", { media_id: data.id }).throwOnError();
}

async function ensureLink(client: SupabaseClient, memoryId: string, pin: string | undefined): Promise<string> {
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

await main(process.argv[2] ?? "http://localhost:3000");
