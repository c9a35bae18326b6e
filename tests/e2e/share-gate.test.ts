import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "../support/e2e.ts";
import { enterPin } from "../support/journey.ts";
import { newMemory, newRow, shareFirstLink } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

/** Creates a memory of Ada's. Resolves to the URL of its link, and functions that change the link. */
async function memoryOf(client: SupabaseClient) {
  const memory = await newMemory(client, { person_name: "Rosa" });
  await shareFirstLink(client, memory.id);
  const { data: link } = await client.from("share_links").select("id").eq("memory_id", memory.id).single();
  return {
    address: `/shared/${memory.share_id}`,
    change: (changes: object) => client.from("share_links").update(changes).eq("id", link?.id).throwOnError(),
    secret: (secret: object) => client.functions.invoke("share-pin", { body: { linkId: link?.id, ...secret } }),
  };
}

test("a passphrase is accepted in any case and spacing; a new PIN closes the open page, and so does the expiry", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/open-share.*status of 4(01|10)/, /status of 4(01|10)/);
  const { client } = await person("Ada");
  const link = await memoryOf(client);
  await link.secret({ passphrase: "Grandma's garden" });
  const guest = await visit();
  await guest.goto(link.address);
  const field = guest.getByLabel(say("shareGate:passphrase.label"));
  await field.fill("grandpa's garden");
  await field.press("Enter");
  await expect(guest.getByText(say("shareGate:openPassphrase.wrong"))).toBeVisible();
  await field.fill("  GRANDMA'S  garden ");
  await guest.getByRole("button", { name: say("shareGate:passphrase.open") }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();

  await link.secret({ pin: "0417" });
  await expect(guest.getByText(say("shareGate:open.closed"))).toBeVisible();
  await enterPin(guest, say, "0417");
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  // The server announces the expiry time. When it has passed, the page notices that by itself.
  await link.change({ expires_at: new Date(Date.now() + 4000).toISOString() });
  await expect(guest.getByRole("heading", { name: say("shareGate:open.expired") })).toBeVisible();
});

test("a device stays in, in new tabs as well, until a manager removes it or it forgets the link", {
  tag: "@sample",
}, async ({ visit, person, expectedErrors }) => {
  expectedErrors.push(/open-share.*status of 401/, /status of 40[13]/);
  const { client } = await person("Ada");
  const link = await memoryOf(client);
  await link.secret({ pin: "0417" });
  const guest = await visit();
  const rosa = guest.getByRole("heading", { level: 1, name: "Rosa" });
  await guest.goto(link.address);
  await expect(guest.getByText(say("shareGate:open.stays"))).toBeVisible();
  await enterPin(guest, say, "0417");
  await expect(rosa).toBeVisible();
  // A new tab has no session of its own.
  await guest.evaluate(() => sessionStorage.clear());
  await guest.goto(link.address);
  await expect(rosa).toBeVisible();

  const { data: devices } = await client.from("link_devices").select("id, name").throwOnError();
  expect(devices).toEqual([{ id: expect.any(String), name: expect.stringContaining("Chrome") }]);
  await client.from("link_devices").delete().eq("id", devices?.[0]?.id).throwOnError();
  await expect(guest.getByText(say("shareGate:open.closed"))).toBeVisible();
  await guest.reload();
  await enterPin(guest, say, "0417");
  await expect(rosa).toBeVisible();

  await guest.getByRole("button", { name: say("shareGate:device.forget") }).click();
  await guest.getByRole("button", { name: say("shareGate:device.confirm"), exact: true }).click();
  await expect(guest.getByText(say("shareGate:device.forgotten")).first()).toBeVisible();
  await expect(guest.getByText(say("shareGate:open.text"))).toBeVisible();
  await guest.reload();
  await expect(guest.getByText(say("shareGate:open.text"))).toBeVisible();
});

test("an unknown link looks like one with a PIN, and is locked after five wrong PINs; one that was cut off says so", async ({
  visit,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4(01|04|29)/);
  // Other tests have guessed PINs from the same address, which is locked after twenty wrong ones.
  await server.change((db) => db.query("delete from private.share_attempts"));
  const stranger = await visit();
  await stranger.goto("/shared/ThereIsNothingHere1234");
  for (const pin of ["0001", "0002", "0003", "0004"]) {
    const answered = stranger.waitForResponse(/open-share/);
    await enterPin(stranger, say, pin);
    await answered;
    await expect(stranger.getByText(say("shareGate:open.wrong"))).toBeVisible();
  }
  await enterPin(stranger, say, "0005");
  await expect(stranger.getByRole("heading", { name: say("shareGate:open.locked") })).toBeVisible();

  // No PIN opens a link that was cut off.
  for (const path of ["/shared/ThereIsNothing", "/shared/ThereIsNothing?lng=it"]) {
    expect((await stranger.goto(path))?.status()).toBe(404);
    const texts = textsIn(path.endsWith("it") ? "it" : "en");
    await expect(stranger.getByRole("alert")).toContainText(texts("shareEnd:cut"));
    await expect(stranger.getByRole("textbox")).toHaveCount(0);
  }
});

test("a guest's page is about the memory: its header offers another language and a sign-in that leads back", {
  tag: "@sample",
}, async ({ visit, person }) => {
  const bob = await person("Bob");
  const link = await memoryOf((await person("Ada")).client);
  const guest = await visit({ viewport: { width: 360, height: 740 } });
  await guest.goto(link.address);
  const rosa = guest.getByRole("heading", { level: 1, name: "Rosa" });
  await expect(rosa).toBeVisible();
  const header = guest.getByRole("banner");
  await expect(header.getByRole("link")).toHaveText(["Skies", say("layout:signIn")]);
  await expect(header.getByRole("button")).toHaveText(["Italiano"]);
  await expect(guest.getByRole("main").getByRole("link", { name: say("shareGate:startOwn") })).toBeVisible();

  await header.getByRole("link", { name: say("layout:signIn") }).click();
  await guest.getByLabel(say("account:email")).fill(bob.email);
  await guest.getByLabel(say("account:password"), { exact: true }).fill(bob.password);
  await guest.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(guest).toHaveURL(link.address);
  await expect(rosa).toBeVisible();
  await expect(guest.getByRole("main").getByRole("link", { name: say("shareGate:startOwn") })).toHaveCount(0);
});

test("an invitation's link opens however mail programs encoded it, and says when it was cut; it can be declined", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401/);
  const { client } = await person("Ada");
  const { id } = await newMemory(client, { person_name: "Rosa" });
  const row = { memory_id: id, email: "aunt@example.com", role: "viewer" };
  const invitation = await newRow(client, "invitations", row);
  const email = client.rpc("invitation_email", { invitation_id: invitation.id });
  const { share_id, token } = (await email.single<{ share_id: string; token: string }>().throwOnError()).data;
  const title = (name: string) => ({ level: 1, name }) as const;
  const half = token.slice(0, 30);
  for (const end of [
    `%23invitation%3D${token}`,
    `?invitation=${token}`,
    `#invitation=3D${half}=%0A${token.slice(30)}.`,
  ]) {
    const aunt = await visit();
    await aunt.goto(`/shared/${share_id}${end}`);
    await expect(aunt.getByRole("heading", title("Rosa"))).toBeVisible();
    expect(aunt.url()).not.toContain(token);
    await aunt.context().close();
  }
  const aunt = await visit();
  for (const end of ["", "#", `%23invitation%3D${half}`, `?invitation=${half}`, `#invitation=${half}…`]) {
    await aunt.goto("/privacy");
    await aunt.goto(`/shared/${share_id}${end}`);
    await expect(aunt.getByRole("heading", title(say("shareGate:open.incomplete")))).toBeVisible();
    await expect(aunt.getByLabel(say("shareGate:pin.digit", { number: 1 }))).toHaveCount(0);
  }
  await aunt.getByRole("button", { name: say("shareEnd:askAgain") }).click();
  await expect(aunt.getByText(say("shareEnd:askedAgain"))).toBeVisible();

  await aunt.goto("/privacy");
  await aunt.goto(`/shared/${share_id}#invitation=${token}`);
  await aunt.getByRole("button", { name: say("sharing:letter.decline") }).click();
  await expect(aunt.getByRole("heading", title(say("shareGate:open.declined")))).toBeVisible();
  await aunt.getByRole("button", { name: say("shareEnd:declineUndo") }).click();
  await expect(aunt.getByRole("heading", title("Rosa"))).toBeVisible();
});
