import { expect } from "./e2e.ts";
import type { ProductServer } from "./product-server.ts";

interface Received {
  text: string;
}

/** Waits for the newest matching email to an address; resolves to its link and code. */
export async function newestMail(server: Pick<ProductServer, "url">, to: string, pattern: RegExp) {
  const text = await newest(server, to, pattern);
  return {
    link: text.match(/https?:\/\/\S+\/auth\/v1\/verify\S+/)?.[0] ?? "",
    code: text.match(/^\d{6}$/m)?.[0] ?? "",
  };
}

/** Waits for the newest text message to a number; resolves to its code. */
export const newestText = async (server: Pick<ProductServer, "url">, to: string) =>
  (await newest(server, to, /\d{6}/)).match(/\d{6}/)?.[0] ?? "";

async function newest(server: Pick<ProductServer, "url">, to: string, pattern: RegExp): Promise<string> {
  const received = async () => {
    const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=${encodeURIComponent(to)}`);
    const { messages } = (await reply.json()) as { messages: Received[] };
    return messages.filter(({ text }) => pattern.test(text));
  };
  await expect.poll(async () => (await received()).length, { timeout: 180_000 }).toBeGreaterThan(0);
  return (await received())[0]?.text ?? "";
}
