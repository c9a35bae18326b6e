import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { expect, test } from "vitest";
import { signUp } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow } from "../support/sharing.ts";

const SITE = "https://skies.example";
const server = await testServer({ PUBLIC_URL: SITE }, undefined, { jobs: true, sandboxes: true });
const ada = await signUp(server, "Ada");

interface Letter {
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  recipients: string[];
}
const received = async (to: string) => {
  const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
  return ((await reply.json()) as { messages: Letter[] }).messages;
};

test("an invitation arrives as it was written, as HTML and text, with its sender", async () => {
  const toEmail = `${randomUUID()}@example.com`;
  const { error } = await ada.client.functions.invoke("send-email", {
    body: {
      toEmail,
      subject: "Nonna’s photos — per te",
      message: '<p>Have a <a href="https://skies.example/shared/abc">look</a> &amp; enjoy.</p><script>x()</script>',
      inviterEmail: ada.email,
    },
  });
  expect(error).toBeNull();
  await expect.poll(() => received(toEmail)).toHaveLength(1);
  const [letter] = await received(toEmail);
  // The subject and the title are marked as the sender's, who stands at the top.
  expect(letter).toMatchObject({ subject: `From ${ada.email}: Nonna’s photos — per te`, recipients: [toEmail] });
  expect(letter?.text).toMatch(/^From .*“Nonna’s photos — per te”/s);
  expect(letter?.html).toContain('href="https://skies.example/shared/abc"');
  expect(letter?.html).not.toContain("x()");
  expect(letter?.text).toContain("https://skies.example/shared/abc");
  expect(letter?.text).toContain("& enjoy");
  expect(letter?.text.replaceAll(/\s+/g, " ")).toContain(`because ${ada.email} sent it to you through Skies.`);
  expect(letter?.headers).toMatchObject({ "reply-to": "info@skies.example" });
});

test("an email about an account has its times in the account's time zone", async () => {
  const bob = await signUp(server, "Bob");
  const time_zone = "Asia/Kolkata";
  await bob.client.from("notice_settings").insert({ user_id: bob.id, time_zone }).throwOnError();
  await bob.client.auth.updateUser({ password: "quite another password" });
  const text = async () =>
    (await received(bob.email)).find(({ subject }) => subject === "Your password was changed")?.text;
  await expect.poll(text).toMatch(/ at \d\d:\d\d\sGMT\+5:30/);
});

test("an email on our letterhead hides neither its sender nor where its links lead", async () => {
  const toEmail = `${randomUUID()}@example.com`;
  const subject = "\u202eYour account is suspended";
  const message = '<p>Verify at <a href="https://evil.example/login">https://skies.example/login</a></p>';
  await ada.client.functions.invoke("send-email", { body: { toEmail, subject, message, inviterEmail: ada.email } });
  await expect.poll(() => received(toEmail)).toHaveLength(1);
  const [letter] = await received(toEmail);
  expect(letter?.subject).toBe(`From ${ada.email}: Your account is suspended`);
  expect(letter?.html).not.toContain("skies.example/login");
  expect(letter?.html).toMatch(/<a[^>]*href="https:\/\/evil.example\/login"[^>]*>https:\/\/evil.example\/login<\/a>/);
  expect(letter?.html).toContain(`>From Ada, ${ada.email}<`);
});

test("an email contains the memory's cover only if its link opens without a PIN", async () => {
  const { client } = ada;
  const memory = await newMemory(client, { person_name: "Rosa" });
  const [photo = ""] = await photoPaths("gps-nikon.jpg");
  const object = `${memory.id}/${randomUUID()}.jpg`;
  const { data: stored } = await client.storage
    .from("media")
    .upload(object, await readFile(photo), { contentType: "image/jpeg" });
  await client.rpc("set_cover", { media_id: stored?.id }).throwOnError();
  const { data: link } = await client.from("share_links").select("id, share_id").single().throwOnError();
  const input = { memory_id: memory.id, email: "aunt@example.com", role: "viewer" };
  const invitation = await newRow(client, "invitations", input);
  const invited = (await client.rpc("invitation_email", { invitation_id: invitation.id }).single().throwOnError())
    .data as {
    share_id: string;
    token: string;
  };
  const letterTo = async (path: string) => {
    const toEmail = `${randomUUID()}@example.com`;
    const message = `<p>Come.</p><p><a href="${SITE}/shared/${path}">Open</a></p>`;
    const body = { toEmail, subject: "Come", message, inviterEmail: ada.email };
    expect((await client.functions.invoke("send-email", { body })).error).toBeNull();
    await expect.poll(() => received(toEmail)).toHaveLength(1);
    const html = (await received(toEmail))[0]?.html ?? "";
    const [, picture] = /<img[^>]*src="data:image\/jpeg;base64,([^"]+)"/.exec(html) ?? [];
    expect(html.match(/<img/g)?.length ?? 0).toBe(picture ? 1 : 0);
    return picture && Buffer.from(picture, "base64");
  };
  const change = (changes: object) => client.from("share_links").update(changes).eq("id", link.id).throwOnError();
  const letter = `${invited.share_id}#invitation=${invited.token}`;

  const cover = await letterTo(letter);
  const facts = await sharp(cover).metadata();
  expect(facts).toMatchObject({ format: "jpeg", width: 600 });
  expect([facts.exif, facts.icc, facts.xmp, facts.iptc]).toEqual([undefined, undefined, undefined, undefined]);
  expect(cover?.length).toBeLessThan(120_000);

  expect(await letterTo(invited.share_id)).toBeUndefined();
  expect(await letterTo(`${invited.share_id}#invitation=${"0".repeat(64)}`)).toBeUndefined();
  // The first link: before it is shared, open to everybody, with a PIN, and for adding only.
  expect(await letterTo(link.share_id)).toBeUndefined();
  await change({ shared_at: "now" });
  expect(await letterTo(link.share_id)).toEqual(cover);
  await change({ rights: "upload" });
  expect(await letterTo(link.share_id)).toBeUndefined();
  await change({ rights: "view" });
  await client.functions.invoke("share-pin", { body: { linkId: link.id, pin: "0417" } });
  expect(await letterTo(link.share_id)).toBeUndefined();
  expect(await letterTo(letter)).toEqual(cover);

  await client.rpc("remove_cover", { memory_id: memory.id }).throwOnError();
  const sky = await letterTo(letter);
  expect(await sharp(sky).metadata()).toMatchObject({ format: "jpeg", width: 600 });
  expect(sky).not.toEqual(cover);
  await client.from("invitations").update({ state: "withdrawn" }).eq("id", invitation.id).throwOnError();
  expect(await letterTo(letter)).toBeUndefined();
});

test("a contact message names no unverified sender", async () => {
  const reply = await fetch(`${server.url}/.netlify/functions/send-email`, {
    method: "POST",
    body: JSON.stringify({
      toEmail: "info@skies.example",
      subject: "Contact Form: Hello",
      message: "<p>A question</p>",
    }),
  });
  expect(reply.status).toBe(202);
  await expect.poll(() => received("info@skies.example")).toHaveLength(1);
  const [letter] = await received("info@skies.example");
  expect(letter?.text).toContain("A question");
  expect(letter?.text).not.toContain("through Skies");
});

test("Spec §8: the error of a failed email names the kind of email", async () => {
  const MAIL_INFO = `bounce@${randomUUID()}.example`;
  const failing = await testServer({ PUBLIC_URL: SITE, MAIL_INFO }, undefined, { jobs: true, sandboxes: true });
  const { client, email } = await signUp(failing, "Ada");
  const invitation = (link: string) => ({
    toEmail: `bounce@${randomUUID()}.example`,
    subject: "Come and see",
    message: `<p><a href="${SITE}${link}">Look</a></p>`,
    inviterEmail: email,
  });
  const failures = {
    "memory invitation": invitation("/shared/abc"),
    letter: invitation(`/answer#${"0".repeat(64)}`),
    invitation: invitation("/register?email=bob%40example.com"),
    "contact form": { toEmail: MAIL_INFO, subject: "Contact Form: A card", message: "<p>Does it last?</p>" },
  };
  for (const [sort, body] of Object.entries(failures)) {
    expect((await client.functions.invoke("send-email", { body })).error).toBeNull();
    const said = async () =>
      (await failing.db.query("select last_error from private.outbox where recipient = $1", [body.toEmail])).rows;
    await expect
      .poll(said)
      .toEqual([{ last_error: expect.stringMatching(new RegExp(`^Failed to send ${sort} email: .`)) }]);
  }
});
