import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSecrets } from "../../server/settings/secrets.ts";
import { readEnvironment } from "../../server/settings/settings.ts";
import { CURRENCIES, moneyText } from "../../shared/money.ts";
import { installationCommands } from "./installation-commands.mjs";

/** @typedef {ReturnType<typeof serverOf>} Server */
/** @typedef {Record<string, string | undefined>} Environment as the server has it */

/**
 * The commands that an administrator can send to the running server.
 * @type {Record<string, { takes?: string, does: string, run: (call: Server["post"], given: string[], send: Server["send"], environment: Environment) => Promise<string> }>}
 */
const commands = {
  ...installationCommands,
  grant: {
    takes: "EMAIL [ROLE]",
    does: "Let somebody work at /admin, as admin, support, fulfilment or editor. They sign in anew, with a second factor.",
    async run(call, [email, role = "admin"]) {
      if (!email) throw new Error("Say whom: npm run admin -- grant ada@example.com");
      const { second_factor } = await call("/rest/v1/rpc/set_staff_role", { email, role });
      const next = second_factor ? "" : " It counts once they have set up a second factor on their profile.";
      return `${email} has the role ${role} and is signed out everywhere.${next}`;
    },
  },
  revoke: {
    takes: "EMAIL",
    does: "Take a person's role at /admin away, at once.",
    async run(call, [email]) {
      if (!email) throw new Error("Say whose: npm run admin -- revoke ada@example.com");
      await call("/rest/v1/rpc/set_staff_role", { email, role: null });
      return `${email} has no role any more and is signed out everywhere.`;
    },
  },
  suspend: {
    takes: "EMAIL REASON",
    does: "Sign somebody out everywhere and let them not sign in any more. Nothing of theirs is deleted.",
    async run(call, [whom, ...reason]) {
      if (!whom || reason.length === 0)
        throw new Error("Say whom and why: npm run admin -- suspend ada@example.com Abuse");
      await call("/rest/v1/rpc/suspend_person", { whom, reason: reason.join(" ") });
      return `${whom} is suspended. To let them back: npm run admin -- let-back ${whom} REASON`;
    },
  },
  "let-back": {
    takes: "EMAIL REASON",
    does: "Let somebody who was suspended sign in again.",
    async run(call, [whom, ...reason]) {
      if (!whom || reason.length === 0)
        throw new Error("Say whom and why: npm run admin -- let-back ada@example.com 'Sorted out'");
      await call("/rest/v1/rpc/let_back_person", { whom, reason: reason.join(" ") });
      return `${whom} can sign in again.`;
    },
  },
  erase: {
    takes: "EMAIL EMAIL REASON",
    does: "Delete an account with all its memories for good, as its person can. The address is given twice.",
    async run(call, [whom, again, ...reason]) {
      if (!whom || whom !== again || reason.length === 0)
        throw new Error(
          "Give the address twice, and why: npm run admin -- erase ada@example.com ada@example.com 'Asked by letter'",
        );
      await call("/rest/v1/rpc/erase_person", { whom, reason: reason.join(" ") });
      return `The account of ${whom} is gone, with everything in it.`;
    },
  },
  "import-account": {
    takes: "FILE EMAIL",
    does: "Take the account of another installation, as its person downloaded it, into an account here. The server may run.",
    async run(_call, [file, email], _send, environment) {
      if (!file || !email) throw new Error("Say which and whose: npm run admin -- import-account FILE ada@example.com");
      const { openAccount } = await import("../setup/open-account.mjs");
      const { reachDatabase } = await import("../../server/database/connect.ts");
      const { openPostgres } = await import("../../server/database/postgres.ts");
      const { openFiles } = await import("../../server/files/files.ts");
      const { readSettings } = await import("../../server/settings/settings.ts");
      const { importAccount } = await import("../../server/downloads/import-account.ts");
      const s3Settings = Object.entries(environment).filter(([name]) => name.startsWith("S3_"));
      const { s3 } = readSettings(Object.fromEntries(s3Settings));
      const exported = await openAccount(file);
      const dataDir = environment.DATA_DIR || "./data";
      const database = await reachDatabase({ databaseUrl: environment.DATABASE_URL || undefined, dataDir });
      const [db, files] = [await openPostgres(database.url), await openFiles(join(dataDir, "storage"), s3)];
      const stopping = new AbortController();
      const stop = () => stopping.abort(new Error("The import was stopped. Nothing was added."));
      process.once("SIGINT", stop).once("SIGTERM", stop);
      let reportedAt = Date.now();
      const options = {
        signal: stopping.signal,
        /** @param {import("../../server/downloads/import-account.ts").ImportProgress} progress */
        progress({ files, ofFiles, bytes, ofBytes }) {
          if (Date.now() - reportedAt < 2000 && files < ofFiles) return;
          reportedAt = Date.now();
          const megabytes = [bytes, ofBytes].map((size) => Math.ceil(size / 1024 ** 2));
          console.warn(`Files read: ${files} of ${ofFiles}, ${megabytes[0]} of ${megabytes[1]} MB.`);
        },
      };
      try {
        const { memories, files: stored, leftOut } = await importAccount({ db, files }, email, exported, options);
        for (const path of leftOut) console.warn(`${path} is missing or damaged in the file, and is left out.`);
        return `Added to the account of ${email}: memories ${memories}, files ${stored}. Their links are new, and not shared yet.`;
      } finally {
        files.close();
        await db.close();
        await database.close();
        await exported.close();
      }
    },
  },
  outbox: {
    takes: "[retry MESSAGE]",
    does: "List the emails and text messages that were given up, or send one of them again, by its id.",
    async run(call, [what, message]) {
      if (what === "retry" && message) {
        const { template } = await call("/rest/v1/rpc/retry_message", { message });
        return `The message (${template}) is sent again.`;
      }
      if (what) throw new Error("Say which: npm run admin -- outbox retry MESSAGE");
      /** @type {{ id: string, recipient: string, template: string, expired: boolean, last_error: string | null }[]} */
      const rows = await call("/rest/v1/rpc/desk_outbox");
      if (rows.length === 0) return "No message was given up.";
      return rows
        .map(
          (row) =>
            `${row.id} ${row.recipient} ${row.template}${row.expired ? " (expired)" : ""}: ${row.last_error ?? ""}`,
        )
        .join("\n");
    },
  },
  stats: {
    does: "Tell how many accounts, memories and photos there are, what came in today, and what waits.",
    async run(call) {
      const [figures, queues] = [await call("/rest/v1/rpc/desk_figures"), await call("/rest/v1/rpc/desk_queues")];
      const today = figures.at(-1);
      const money = CURRENCIES.map((currency) => moneyText(today.revenue[currency] ?? 0, currency)).join(" and ");
      return [
        `${today.accounts ?? 0} accounts, ${today.all_memories ?? 0} memories, ${today.all_media ?? 0} photos and videos.`,
        `Today: ${today.sign_ups} sign-ups, ${today.memories} memories, ${today.photos} photos, ${today.videos} videos, ${money}.`,
        `Waiting: ${queues.outbox} messages, ${queues.photos} photos, ${queues.videos} videos, ${queues.reports} reports. Given up: ${queues.failed_mails} messages.`,
      ].join("\n");
    },
  },
  plan: {
    takes: "EMAIL PLAN [YEARS]",
    does: "Give somebody a plan from now on, as skies-memories, for its own term or so many years. No money moves.",
    async run(call, [email, plan, years]) {
      if (!email || !plan) throw new Error("Say whom and what: npm run admin -- plan ada@example.com skies-memories 1");
      const holds = await call("/rest/v1/rpc/grant_plan", { email, plan, years });
      return `${email} has ${holds.name} until ${holds.expires_at.slice(0, 10)}.`;
    },
  },
  orders: {
    takes: "[NUMBER_OR_EMAIL]",
    does: "List the newest 50 orders, or those of a number or of an email address by its beginning.",
    async run(_call, [find = ""], send) {
      const wanted = /^sk-/i.test(find)
        ? `&number=eq.${encodeURIComponent(find.toUpperCase())}`
        : find &&
          `&email_key=gte.${encodeURIComponent(find.toLowerCase())}&email_key=lt.${encodeURIComponent(`${find.toLowerCase()}\u{10fffd}`)}`;
      const columns = "select=number,email,status,currency,total,refunded,created_at";
      const path = `/rest/v1/orders?${columns}&order=created_at.desc&limit=50${wanted}`;
      /** @type {{ number: string, email: string, status: string, currency: "GBP" | "EUR", total: number, refunded: number, created_at: string }[]} */
      const rows = await (await send(path, undefined, { method: "GET" })).json();
      if (rows.length === 0) return "There are no such orders.";
      return rows
        .map(({ number, email, status, currency, total, refunded, created_at }) => {
          const back = refunded > 0 ? ` (${moneyText(refunded, currency)} refunded)` : "";
          return `${number} ${created_at.slice(0, 10)} ${status} ${moneyText(total, currency)}${back} ${email}`;
        })
        .join("\n");
    },
  },
  refund: {
    takes: "ORDER AMOUNT REASON…",
    does: "Give an amount of a paid order back, as 12.50, or all that is left by the word all. Its buyer is told.",
    async run(call, [order, given = "", ...reason]) {
      if (!order || !/^(all|\d{1,7}(\.\d{1,2})?)$/.test(given) || reason.length === 0)
        throw new Error("Say which, how much and why: npm run admin -- refund SK-2026-000123 12.50 Damaged on the way");
      const amount = given === "all" ? {} : { amount: Math.round(Number(given) * 100) };
      const request = randomUUID();
      const done = await call("/functions/v1/refund-order", { order, ...amount, reason: reason.join(" "), request });
      return `${(done.amount / 100).toFixed(2)} of ${order} goes back.`;
    },
  },
  campaign: {
    takes: "NAME PERCENTAGE CODES [PREFIX] [UNTIL]",
    does: "Make a batch of codes that are good once each, and print them, a line each.",
    async run(call, [name, percentage, codes, prefix = "", until]) {
      if (!name || !percentage || !codes)
        throw new Error(
          "Say its name, how much and how many: npm run admin -- campaign 'Spring fair' 20 100 SPRING 2027-05-31",
        );
      const end = until ? { ends_at: until } : {};
      const made = await call("/rest/v1/rpc/create_campaign", {
        name,
        percentage: Number(percentage),
        codes: Number(codes),
        prefix,
        ...end,
      });
      return made.codes.join("\n");
    },
  },
  engrave: {
    takes: "ORDER [FOLDER]",
    does: "Write the engraver's pack of a paid order, as SK-2026-000123. Its secrets are told this once.",
    async run(_call, [order, folder = "."], send) {
      if (!order) throw new Error("Say which order: npm run admin -- engrave SK-2026-000123");
      const reply = await send("/functions/v1/engraver-pack", { order });
      const file = join(folder, `skies-cards-${order.replaceAll(/[^\w-]/g, "")}.zip`);
      await writeFile(file, Buffer.from(await reply.arrayBuffer()), { mode: 0o600 });
      return `${file} is for the engraver. Whoever has it can claim the cards: delete it once they are packed.`;
    },
  },
  "card-status": {
    takes: "ORDER_OR_CODE [CARRIER] [NUMBER] [URL]",
    does: "Say that engraved cards are on their way, and by whom. Their buyer is told.",
    async run(call, [of, carrier, number, url]) {
      if (!of)
        throw new Error("Say which cards: npm run admin -- card-status SK-2026-000123 'Royal Mail' AB123 https://…");
      const { moved } = await call("/functions/v1/card-status", { of, carrier, number, url });
      return `${moved} ${moved === 1 ? "card is" : "cards are"} on the way.`;
    },
  },
  voucher: {
    takes: "CODE PERCENTAGE [USES] [UNTIL] [PLANS]",
    does: "Make a code that takes a percentage off: for so many uses (0: any number), until a day, off plans as skies-pro,skies-master alone.",
    async run(_call, [code, percentage, uses = "0", until, plans], send) {
      if (!code || !percentage)
        throw new Error("Say which and how much: npm run admin -- voucher SPRING15 15 100 2027-05-31");
      const made = { code, percentage: Number(percentage), max_uses: Number(uses) || null };
      const end = until ? { ends_at: until } : {};
      const part = plans ? { plan_ids: plans.split(","), applies_to_cards: false } : {};
      await send("/rest/v1/vouchers", { ...made, ...end, ...part });
      return `${code.toUpperCase()} takes ${made.percentage}% off${until ? ` until ${until}` : ""}, ${made.max_uses ?? "any number of"} times.`;
    },
  },
  price: {
    takes: "PLAN_OR_PRODUCT CURRENCY AMOUNT",
    does: "Change what a plan or a product costs from now on, as skies-pro GBP 120. What was sold keeps its own price.",
    async run(_call, [what, given = "", amount], send) {
      const pence = Math.round(Number(amount) * 100);
      const currency = CURRENCIES.find((one) => one === given.toUpperCase());
      if (!what || !currency || !(pence > 0))
        throw new Error("Say what and how much: npm run admin -- price skies-pro GBP 120");
      const [table, key] = what.startsWith("skies-") ? ["plan_prices", "plan_id"] : ["product_prices", "product_id"];
      const row = { [key]: what, currency, amount: pence };
      await send(`/rest/v1/${table}?on_conflict=${key},currency`, row, { prefer: "resolution=merge-duplicates" });
      return `${what} costs ${moneyText(pence, currency)} from now on.`;
    },
  },
  payable: {
    does: "Tell to whom commissions can be paid out now, and how much.",
    async run(call) {
      /** @type {{ email: string, currency: "GBP" | "EUR", payable: number }[]} */
      const rows = await call("/rest/v1/rpc/payable_affiliates");
      if (rows.length === 0) return "Nothing can be paid out now.";
      return rows.map(({ email, currency, payable }) => `${email} ${moneyText(payable, currency)}`).join("\n");
    },
  },
  payout: {
    takes: "EMAIL AMOUNT CURRENCY [REFERENCE]",
    does: "Record that an affiliate was paid so much, as 36.50 GBP. Refused where that is more than can be paid out.",
    async run(call, [email, amount = "", given = "", ...reference]) {
      const currency = CURRENCIES.find((one) => one === given.toUpperCase());
      if (!email || !/^\d{1,7}(\.\d{1,2})?$/.test(amount) || !currency) {
        throw new Error("Say whom and how much: npm run admin -- payout ada@example.com 36.50 GBP");
      }
      const { id, left } = await call("/rest/v1/rpc/record_payout", {
        email,
        amount,
        currency,
        reference: reference.join(" "),
      });
      const paid = moneyText(Math.round(Number(amount) * 100), currency);
      return `${paid} is recorded, and ${moneyText(left, currency)} can still be paid out. To take it back: npm run admin -- payout-undo ${id}`;
    },
  },
  "payout-undo": {
    takes: "PAYOUT",
    does: "Take back a payout that was recorded by mistake, by the id that recording it told. No money moves.",
    async run(_call, [id], send) {
      if (!id) throw new Error("Say which payout, by the id that recording it told.");
      const reply = await send(`/rest/v1/payouts?id=eq.${encodeURIComponent(id)}`, undefined, {
        method: "DELETE",
        prefer: "return=representation",
      });
      const [gone] = await reply.json();
      if (!gone) throw new Error("There is no such payout.");
      return `${moneyText(gone.amount, gone.currency)} is not recorded any more.`;
    },
  },
  blog: {
    takes: "import FILE…",
    does: "Write posts of the blog from Markdown files. A post of the same slug and language is replaced; a date to come schedules it.",
    async run(_call, [what, ...files], send) {
      if (what !== "import" || files.length === 0)
        throw new Error("Say which files: npm run admin -- blog import post.en.md post.it.md");
      const { describePost, readPosts } = await import("./blog-import.mjs");
      const posts = await readPosts(files, (name, bytes) =>
        send(`/storage/v1/object/covers/${name}`, bytes, { upsert: true }),
      );
      await send("/rest/v1/blog_posts?on_conflict=slug,language", posts, { prefer: "resolution=merge-duplicates" });
      return posts.map(describePost).join("\n");
    },
  },
  "rotate-keys": {
    does: "Sign with a new key from now on. Everybody stays signed in: tokens of the old key are good until they end.",
    async run(call) {
      const { keys } = await call("/auth/v1/admin/rotate_keys");
      return `Done. ${keys.length} keys are published; the oldest go once their tokens have ended.`;
    },
  },
};

/**
 * Requests to this machine's server with the service's rights.
 * @param {Environment} environment
 */
function serverOf(environment) {
  /**
   * Sends a request and returns the JSON of its response.
   * @param {string} path
   * @param {object} [body]
   */
  async function post(path, body = {}) {
    return (await send(path, body)).json();
  }

  /**
   * Sends a request and returns the response.
   * @param {string} path
   * @param {object | undefined} body JSON, or the bytes of a file
   * @param {{ method?: string, prefer?: string, upsert?: boolean }} [how] `prefer`: the `Prefer` header of a write;
   *   `upsert`: whether the file replaces an existing one with its name
   */
  async function send(path, body, { method = "POST", prefer = "", upsert = false } = {}) {
    // As on the server, an empty variable counts as unset.
    const { PORT, HOST, DATA_DIR, SECRET_KEY } = environment;
    const dataDir = DATA_DIR || "./data";
    // Opening missing secrets would create new ones, which the server does not know.
    if (!SECRET_KEY && !existsSync(join(dataDir, "secret.key"))) {
      throw new Error(`${dataDir} is not the folder of a server. Set DATA_DIR, or SECRET_KEY, as the server has it.`);
    }
    const { secretKey } = await openSecrets({ dataDir, secretKey: SECRET_KEY });
    const host = !HOST || HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST;
    const address = `http://${host}:${PORT || 3000}`;
    const reply = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        "content-type": body instanceof Uint8Array ? "application/octet-stream" : "application/json",
        "x-upsert": String(upsert),
        prefer,
      },
      ...(body ? { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    }).catch(() => {
      throw new Error(`No server answers at ${address}. Start it first; PORT and HOST say where it is.`);
    });
    if (reply.ok) return reply;
    const answer = await reply.json();
    const more = answer.details ? ` (${answer.details})` : "";
    throw new Error(`The server refused: ${answer.msg ?? answer.message ?? reply.status}${more}`);
  }
  return { post, send };
}

/**
 * Runs a command of `npm run admin`. Resolves to its output and whether it succeeded.
 * @param {string[]} words its name and what it is given
 * @param {Record<string, string | undefined>} variables the environment as the server has it
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function runCommand([name = "", ...given], variables) {
  const command = commands[name];
  if (!command) {
    const list = Object.entries(commands).map(
      ([name, { takes = "", does }]) => `  ${`${name} ${takes}`.trim()}\n    ${does}`,
    );
    return { ok: name === "", output: ["npm run admin -- COMMAND\n", ...list].join("\n") };
  }
  try {
    const environment = readEnvironment(variables);
    const { post, send } = serverOf(environment);
    return { ok: true, output: await command.run(post, given, send, environment) };
  } catch (error) {
    return { ok: false, output: /** @type {Error} */ (error).message };
  }
}
