import type { Locator } from "@playwright/test";
import { expect } from "./e2e.ts";
import type { Person } from "./people.ts";
import type { ProductServer } from "./product-server.ts";
import { newMemory } from "./sharing.ts";

/** A published memory of this person, created without the form. */
export async function makeMemory(person: Person, name: string): Promise<string> {
  const description = "<p>She knew every tree by name.</p>";
  const data = await newMemory(person.client, { person_name: name, description, draft: false });
  return String(data.id);
}

/** The invitation that an address has received, and its links' target. */
export async function invitationTo(server: Pick<ProductServer, "url">, to: string) {
  const emails = async () => {
    const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
    return ((await reply.json()) as { messages: { text: string }[] }).messages;
  };
  const newest = async () => (await emails()).find(({ text }) => text.includes("/register?email="))?.text ?? "";
  await expect.poll(newest, { timeout: 180_000 }).not.toBe("");
  const text = await newest();
  const link = (pattern: RegExp) => text.match(pattern)?.[0].replace(/[\])]+$/, "") ?? "";
  return {
    text,
    shared: link(/https?:\/\/\S+\/shared\/\S+/),
    register: link(/https?:\/\/\S+\/register\?email=\S+/),
    unsubscribe: link(/https?:\/\/\S+\/unsubscribe\?token=\S+/),
  };
}

/** Pastes a text, e.g. a list of addresses, into a field. */
export const pasteText = (field: Locator, text: string) =>
  field.evaluate((input, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
