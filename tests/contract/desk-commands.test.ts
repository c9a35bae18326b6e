import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../scripts/commands/desk-commands.mjs";
import { paidOrder } from "../support/cards.ts";
import { payingServer } from "../support/payments.ts";
import { signUp } from "../support/people.ts";

const server = await payingServer();
const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
const engraving = { name: "Rosa", dates: "1931", finish: "steel", language: "en" };
const order = await paidOrder(server.db, ada.id, { cards: { quantity: 1, engraving } });
const { rows: dead } = await server.db.query<{ id: string }>(
  `insert into private.outbox (kind, template, language, recipient, state, settled_at, attempts, last_error)
   values ('mail', 'welcome', 'en', 'nobody@example.com', 'dead', now(), 12, 'Mailbox unavailable') returning id`,
);
const message = dead[0]?.id ?? "";

/** Runs `npm run admin`. Resolves to its output and whether it succeeded. */
const admin = (...args: string[]) => runCommand(args, { PORT: new URL(server.url).port, DATA_DIR: server.dataDir });

const role = `select coalesce(raw_app_meta_data ->> 'role', 'none') from auth.users where id = '${ada.id}'`;
const suspended = `select banned_until > now() from auth.users where id = '${ada.id}'`;

/**
 * Commands in the order of their execution, each with its output and, optionally, a query and its result afterwards.
 * The output begins with `refused` if the command does nothing.
 */
const COMMANDS: [given: string[], says: string | RegExp, query?: string, found?: unknown][] = [
  [["grant", ada.email, "chief"], "refused: A role is admin, support, fulfilment or editor.", role, "none"],
  [["grant", "nobody@example.com"], "refused: Nobody has this address."],
  [["grant", ada.email], /has the role admin .* It counts once they have set up a second factor/, role, "admin"],
  [["grant", ada.email, "editor"], /has the role editor/, role, "editor"],
  [["revoke", ada.email], /has no role any more/, role, "none"],
  [["suspend", ada.email, "Sent", "abuse"], /is suspended\. To let them back/, suspended, true],
  [
    ["let-back", ada.email, "Sorted", "out"],
    /can sign in again/,
    `select banned_until is null from auth.users where id = '${ada.id}'`,
    true,
  ],
  [["outbox"], `${message} nobody@example.com welcome: Mailbox unavailable`],
  [
    ["outbox", "retry", message],
    "The message (welcome) is sent again.",
    `select attempts from private.outbox where id = '${message}'`,
    0,
  ],
  [["outbox", "retry", ada.id], "refused: There is no such message to send again."],
  [
    ["plan", ada.email, "skies-memories", "1"],
    /has Skies Memories until \d{4}-\d\d-\d\d\./,
    "select plan_id from user_subscriptions",
    "skies-memories",
  ],
  [["plan", ada.email, "skies-nothing"], /^refused: /],
  [["orders", order.number], new RegExp(`^${order.number} .* paid `)],
  [["orders", "SK-1999-000001"], "There are no such orders."],
  [["engrave", order.number, server.dataDir], /is for the engraver/, "select making from metal_cards", "engraved"],
  [
    ["card-status", order.number, "Royal Mail", "AB123"],
    "1 card is on the way.",
    "select making from metal_cards",
    "sent",
  ],
  [["refund", order.number, "12.345", "Damaged"], /^refused: .*Say which, how much and why/],
  [
    ["voucher", "spring15", "15", "100", "2099-05-31", "skies-memories"],
    "SPRING15 takes 15% off until 2099-05-31, 100 times.",
    "select plan_ids::text || applies_to_cards from vouchers",
    "{skies-memories}false",
  ],
  [
    ["price", "skies-memories", "gbp", "49.50"],
    "skies-memories costs £49.50 from now on.",
    "select amount from plan_prices where plan_id = 'skies-memories' and currency = 'GBP'",
    4950,
  ],
  [
    ["price", "metal-card", "EUR", "30"],
    "metal-card costs €30.00 from now on.",
    "select amount from product_prices where product_id = 'metal-card' and currency = 'EUR'",
    3000,
  ],
  [["price", "skies-memories", "USD", "1"], /^refused: Say what and how much/],
  [["payable"], "Nothing can be paid out now."],
  [["payout", ada.email, "1", "GBP"], "refused: There is no affiliate with this address."],
  [["payout-undo", message], "refused: There is no such payout."],
  [
    ["campaign", "Fair", "20", "2", "FAIR"],
    /^FAIR-[0-9A-Z]{12}\nFAIR-[0-9A-Z]{12}$/,
    "select count(*)::integer from vouchers where campaign_id is not null",
    2,
  ],
  [["stats"], /^2 accounts, .* memories, .*\nToday: .*\nWaiting: /],
  [["rotate-keys"], /^Done\. \d keys are published/],
  [
    ["erase", bob.email, ada.email, "Asked"],
    /^refused: Give the address twice/,
    `select count(*)::integer from auth.users`,
    2,
  ],
  [
    ["erase", bob.email, bob.email, "Asked"],
    /is gone, with everything in it/,
    `select count(*)::integer from auth.users`,
    1,
  ],
];

test("each admin command does its work or explains its refusal, and is recorded in the audit log", async () => {
  await server.db.query("select private.count_figures()");
  for (const [args, says, query, expected] of COMMANDS) {
    const { ok, output } = await admin(...args);
    const said = ok ? output : `refused: ${output.replace(/^The server refused: /, "")}`;
    if (typeof says === "string") expect(said, args.join(" ")).toBe(says);
    else expect(said, args.join(" ")).toMatch(says);
    if (!query) continue;
    const { rows } = await server.db.query<Record<string, unknown>>(query);
    expect(Object.values(rows[0] ?? {}), args.join(" ")).toEqual([expected]);
  }
  expect(existsSync(join(server.dataDir, `skies-cards-${order.number}.zip`))).toBe(true);
  const { rows } = await server.db.query<{ role: string; action: string }>(
    "select distinct role, action from audit_log",
  );
  expect(new Set(rows.map((row) => row.role))).toEqual(new Set(["service_role"]));
  const actions = [
    "person.role",
    "person.suspend",
    "person.let_back",
    "person.erase",
    "person.plan",
    "outbox.retry",
    "vouchers.insert",
    "plan_prices.update",
  ];
  expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(actions));
});

test("a command without arguments shows its usage, and an unknown command lists all commands", async () => {
  const list = await admin();
  const names = [...list.output.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => name);
  expect(list.ok).toBe(true);
  expect(names).toEqual(expect.arrayContaining(COMMANDS.map(([[name]]) => name)));
  // These need no arguments.
  const free = ["secrets", "database-sql", "undelete-files", "outbox", "stats", "orders", "payable", "rotate-keys"];
  for (const name of names.filter((one) => !free.includes(one))) {
    expect(await admin(name)).toEqual({ ok: false, output: expect.stringMatching(/npm run admin -- |by the id that/) });
  }
  expect(await admin("nothing")).toEqual({ ok: false, output: list.output });
});
