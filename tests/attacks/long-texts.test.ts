import { expect, test } from "vitest";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const ada = await signUp(server, "Ada");

/** Texts of so many bytes that take patterns or the order of accents quadratic time, if nothing bounds them. */
const TEXTS: Record<string, (bytes: number) => string> = {
  accents: (bytes) => `a${"\u0301".repeat(bytes / 4)}${"\u0316".repeat(bytes / 4)}`,
  asterisks: (bytes) => `${"*".repeat(bytes / 2)}a${"*".repeat(bytes / 2)}a`,
  joiners: (bytes) => `a${"\u200d".repeat(bytes / 3)}a`,
  blanks: (bytes) => `a${" .".repeat(bytes / 2)}a`,
  letters: (bytes) => "a".repeat(bytes),
};
/** The largest bodies of accounts, functions and stories; for the others texts that would take minutes. */
const BYTES: Record<string, number> = {
  "rest/v1/stories": 190_000,
  auth: 60_000,
  functions: 240_000,
  rest: 900_000,
  storage: 900_000,
};

/** The functions that read a text, each with the fields that people type. */
const FIELDS: Record<string, string[]> = {
  "auth/v1/token?grant_type=password": ["email", "phone", "password"],
  "auth/v1/signup": ["email", "phone"],
  "auth/v1/otp": ["email", "phone"],
  "auth/v1/recover": ["email"],
  "auth/v1/resend": ["email"],
  "auth/v1/verify": ["token", "email", "token_hash"],
  "functions/v1/open-share": ["pin", "passphrase", "shareId", "invitation", "language"],
  "functions/v1/claim-card": ["code", "secret"],
  "functions/v1/create-checkout-session": ["voucherCode", "email", "line1"],
  "functions/v1/send-email": ["to", "recipientEmail", "inviterEmail", "subject", "message"],
  "rest/v1/rpc/apply_voucher": ["code_text"],
  "rest/v1/rpc/search": ["find", "rest"],
  "rest/v1/rpc/ask_about_photos": ["recipient", "note"],
  "rest/v1/rpc/answer_photo": ["who", "taken", "place"],
  "rest/v1/memories": ["person_name"],
  "rest/v1/albums": ["name"],
  "rest/v1/comments": ["body"],
  "rest/v1/stories": ["title", "body"],
  "rest/v1/memory_entries": ["title", "note", "place"],
  "rest/v1/pictured_people": ["name"],
  "rest/v1/share_links": ["label"],
  "rest/v1/prompts": ["text"],
  "storage/v1/object/list/media": ["prefix", "search"],
};
const memoryId = (await ada.client.from("memories").insert({ person_name: "Rosa" }).select("id").single()).data?.id;
const OTHERS = {
  type: "email",
  email: "ada@example.org",
  password: "a long password",
  shareId: "A".repeat(22),
};

/** The other fields of a request, of which a table takes only its own. */
function othersOf(path: string, field: string) {
  if (path.endsWith("/ask_about_photos"))
    return { letter_id: memoryId, memory_id: memoryId, media_ids: [], recipient: "", note: "" };
  if (path.endsWith("/answer_photo")) return { media_id: memoryId, who: "", taken: "", place: "" };
  if (path.startsWith("rest/v1/rpc/")) return {};
  if (path.startsWith("rest/v1/")) return /memories|albums/.test(path) ? {} : { memory_id: memoryId };
  const { email, ...others } = OTHERS;
  return field === "phone" ? others : { email, ...others };
}

test.each(Object.entries(TEXTS))(
  "the longest text of %s that a stranger can send is answered, and stops nobody",
  async (_what, textOf) => {
    for (const [path, fields] of Object.entries(FIELDS)) {
      const text = textOf(BYTES[path] ?? BYTES[path.split("/")[0] ?? ""] ?? 0);
      // Nobody is signed in who signs in.
      const tokens = [server.keys.publishable, ...(path.startsWith("auth") ? [] : [ada.token])];
      for (const field of fields) {
        for (const token of tokens) {
          const others = othersOf(path, field);
          const { status } = await fetch(`${server.url}/${path}`, {
            method: "POST",
            headers: {
              apikey: server.keys.publishable,
              authorization: `Bearer ${token}`,
              "content-type": "application/json",
            },
            body: JSON.stringify({ ...others, [field]: text }),
          });
          expect(status, `${path} with ${field}`).not.toBe(413);
          expect(status, `${path} with ${field}`).toBeLessThan(500);
        }
      }
    }
  },
);

test("headers and addresses of sixteen kilobytes are answered", async () => {
  const blanks = "\t".repeat(12_000);
  const longHeaders: Record<string, string>[] = [
    { "accept-language": `a${blanks};q` },
    { "accept-encoding": `a${blanks};q` },
    { "user-agent": "fari/Version//".repeat(800) },
  ];
  for (const headers of longHeaders) expect((await fetch(`${server.url}/health`, { headers })).status).toBe(200);
  expect((await fetch(`${server.url}/a${"/".repeat(12_000)}b`)).status).toBeLessThan(500);
});
