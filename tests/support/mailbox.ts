import type { TestServer } from "./server.ts";

/** An enqueued email or text message. */
export interface EnqueuedEmail {
  template: string;
  language: string;
  props: { url?: string; code?: string; [name: string]: unknown };
}

/** Everything enqueued for an email address or phone number (with plus), oldest first. */
export async function enqueuedTo({ db }: Pick<TestServer, "db">, recipient: string): Promise<EnqueuedEmail[]> {
  const { rows } = await db.query<EnqueuedEmail>(
    "select template, language, props from private.outbox where recipient = $1 order by created_at, xmin::text::bigint",
    [recipient],
  );
  return rows;
}

/** The newest enqueued link and code for an address, optionally of one template. */
export async function newestTo(server: Pick<TestServer, "db">, recipient: string, template?: string) {
  const owed = (await enqueuedTo(server, recipient)).filter(
    (email) => template === undefined || email.template === template,
  );
  const { url = "", code = "" } = owed.at(-1)?.props ?? {};
  return { url, code, link: url ? (new URL(url).searchParams.get("token") ?? "") : "" };
}

/** Follows a mailed link like a person: opens its page, and presses the button there. */
export async function follow(server: Pick<TestServer, "url">, url: string) {
  const { pathname, search } = new URL(url);
  // Links contain the public URL, so it is replaced by the test server's.
  const page = await fetch(server.url + pathname + search, { redirect: "manual" });
  const hash = (page.headers.get("location") ?? "").split("#")[1];
  const reply = await fetch(`${server.url}/auth/v1/verify/link`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(Object.fromEntries(new URLSearchParams(hash))),
  });
  const { redirect_to = "about:blank" } = (await reply.json()) as { redirect_to?: string };
  const location = new URL(redirect_to);
  return {
    status: reply.status,
    location,
    fragment: Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
    parameters: Object.fromEntries(location.searchParams),
  };
}
