import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openSecrets } from "../../server/settings/secrets.ts";
import { unseal } from "../../server/supabase/sealed.ts";
import { unsubscribing } from "../../server/unsubscribing/unsubscribing.ts";
import { newKey, sign } from "../support/guests.ts";
import { signUp } from "../support/people.ts";
import { codeOf, protect } from "../support/second-factor.ts";
import { type TestServer, testServer } from "../support/server.ts";
import { newMemory, type Owner, open, post, setPin, shareFirstLink } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const newRootKey = () => randomBytes(32).toString("base64");
const [old, current] = [newRootKey(), newRootKey()];
const before = await testServer({ SECRET_KEY: old });
const { db, dataDir } = before;

test("after the root secret is replaced, everybody goes on as before, and what the old one granted ends", async () => {
  const ada = await signUp(before, "Ada");
  const app = await protect(before, ada);
  const { data: session } = await ada.client.auth.getSession();
  const { id: memoryId, share_id: shareId } = await newMemory(ada.client, { person_name: "Rosa" });
  await shareFirstLink(ada.client, memoryId);
  const { data: link } = await ada.client
    .from("share_links")
    .select("id")
    .eq("memory_id", memoryId)
    .single()
    .throwOnError();
  const owner = { linkId: link.id, shareId, token: session.session?.access_token ?? "" } as Owner;
  await ada.client.from("share_links").update({ rights: "comment" }).eq("id", link.id).throwOnError();
  await setPin(before, owner, "0417");
  const name = freshName(memoryId);
  await ada.client.storage.from("media").upload(name, await jpeg(), { contentType: "image/jpeg" });
  const { data: signed } = await ada.client.storage.from("media").createSignedUrl(name, 3600);
  const guestKey = newKey();
  const guest = await sign(before, (await open(before, shareId, "0417")).body.token, { guestKey });
  expect(guest).toMatchObject({ status: 200 });
  const token = new URL(unsubscribing(await emailLinksOf(old)).page(ada.email)).searchParams.get("token") ?? "";

  const after = await testServer({ SECRET_KEY: `${current},${old}` }, before);
  // Sessions, tokens that were issued before, and authenticator apps.
  const client = after.client();
  await client.auth
    .setSession(session.session as NonNullable<typeof session.session>)
    .then(({ error }) => expect(error).toBeNull());
  const refreshed = await client.auth.refreshSession();
  expect(refreshed.error).toBeNull();
  const again = after.client();
  await again.auth.signInWithPassword({ email: ada.email, password: ada.password });
  const verified = await again.auth.mfa.challengeAndVerify({ factorId: app.id, code: codeOf(app.secret, 1) });
  expect(verified.error).toBeNull();

  // PINs, which managers can read again, and guests.
  expect((await open(after, shareId, "0418")).status).toBe(401);
  const opened = await open(after, shareId, "0417");
  expect(opened.status).toBe(200);
  const authorization = `Bearer ${verified.data?.access_token}`;
  expect(await post(after, "read-share-pin", { linkId: owner.linkId }, { authorization })).toEqual({
    status: 200,
    body: { secret: "0417" },
  });
  const recognized = await sign(after, opened.body.token, { guestKey });
  expect(recognized.body.guest).toMatchObject({ id: (guest.body.guest as { id: string }).id });

  // Links of letters, and pages that were opened before.
  expect(unsubscribing(await emailLinksOf(`${current},${old}`)).addressOf(token)).toBe(ada.email);
  expect(await statusWith(after, before.keys.publishable)).toBe(200);

  // Whoever has the old secret: its API key, signed addresses, and keys that sign tokens.
  expect(after.keys.secret).not.toBe(before.keys.secret);
  expect(await statusWith(after, before.keys.secret)).toBe(401);
  const path = new URL(signed?.signedUrl ?? "").pathname + new URL(signed?.signedUrl ?? "").search;
  expect((await fetch(`${before.url}${path}`)).status).toBe(200);
  expect((await fetch(`${after.url}${path}`)).status).toBe(400);
  const { rows } = await db.query<{ sealed: string }>(
    "select sealed_private_jwk as sealed from auth.signing_keys where status <> 'retired'",
  );
  const { sealing } = await openSecrets({ secretKey: current, dataDir });
  expect(rows).toHaveLength(2);
  for (const { sealed } of rows) expect(unseal(sealed, sealing)).toContain("P-256");

  // What is stored under the new secret is not found under the old one.
  await setPin(after, { ...owner, token: String(verified.data?.access_token) }, "1951");
  expect((await open(before, shareId, "1951")).status).toBe(401);
  const without = await testServer({ SECRET_KEY: current }, before);
  expect((await open(without, shareId, "1951")).status).toBe(200);
  await expect(testServer({ SECRET_KEY: newRootKey() }, before)).rejects.toThrow("another SECRET_KEY");
});

test("a key file holds former secrets, too, and a damaged one is refused", async () => {
  const [publishable, former] = await Promise.all(
    [`${current}\n${old}\n`, old].map(async (secretKey) => openSecrets({ secretKey, dataDir })),
  );
  expect(publishable?.formerPublishableKeys).toEqual([former?.publishableKey]);
  await expect(openSecrets({ secretKey: `${current},c2hvcnQ=`, dataDir })).rejects.toThrow("at least 32 bytes");
});

const emailLinksOf = async (secretKey: string) => ({
  db,
  secrets: (await openSecrets({ secretKey, dataDir })).unsubscribing,
  publicUrl: "https://skies.test",
});

const statusWith = async ({ url }: TestServer, key: string) =>
  (
    await fetch(`${url}/rest/v1/subscription_plans?select=id&limit=1`, {
      headers: { apikey: key, authorization: `Bearer ${key}` },
    })
  ).status;
