import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Database } from "../../../server/database/database.ts";
import type { Person } from "../people.ts";
import type { ProductServer } from "../product-server.ts";
import { staffMember } from "../staff.ts";
import { jpeg } from "../uploads.ts";
import { click, dialog, heading, type Setup, screenArea, text } from "./screen.ts";

/** A photo whose failure is described by words that are longer than a line of a phone. */
const UNPREPARED = {
  given_up: 1,
  retried: 0,
  files: [
    {
      object_id: "00000000-0000-4000-8000-000000000000",
      job: "renditions",
      reason: `heif: Invalid input: ${"Unspecified_item_reference".repeat(3)}`,
      failures: 3,
      failed_at: "2026-11-26T08:00:00Z",
      given_up_at: "2026-11-26T08:00:00Z",
      mime_type: "image/vnd.adobe.photoshop.with.layers",
      size: 48_000_000,
    },
  ],
};

/** A staff member of a server in a separate process, signed in with a second factor. */
export async function staffAt(server: ProductServer, role: Parameters<typeof staffMember>[1]) {
  const made: Awaited<ReturnType<typeof staffMember>>[] = [];
  await server.change(async (db) => {
    made.push(await staffMember({ client: server.client, service: server.service, db }, role));
  });
  const [member] = made;
  if (!member) throw new Error("Nobody was made");
  return member;
}

/** Sends a message by the contact form, and a report about a comment. */
export async function writeToUs({ server }: Pick<Setup, "server">, { client, id }: Person) {
  const memory = await client.from("memories").insert({ person_name: "Nonna" }).select("id").single().throwOnError();
  const said = { memory_id: memory.data.id as string, body: "You never called him." };
  const comment = await client.from("comments").insert(said).select("id").single().throwOnError();
  const written = { messageId: "", reportId: "" };
  await server.change(async (db) => {
    const message = await db.query<{ id: string }>(
      `insert into contact_messages (name, email, subject, message)
       values ('Nia Hart', 'nia@example.com', 'A photo is missing', '<p>I cannot find the photo of the boat.</p>') returning id`,
    );
    const report = await db.query<{ id: string }>(
      `insert into reports (memory_id, kind, item_id, reason, words, email, user_id)
       values ($1, 'comment', $2, 'hurtful', 'This is about my brother.', 'kin@example.com', $3) returning id`,
      [said.memory_id, comment.data.id, id],
    );
    written.messageId = message.rows[0]?.id ?? "";
    written.reportId = report.rows[0]?.id ?? "";
  });
  return written;
}

/** Two months of plausible figures: weekly variation and some growth. docs/screens shows them. */
async function bringFigures(db: Database) {
  await db.transaction(async (tx) => {
    // Past accounts and payments, without emails and plans now.
    await tx.query("set local session_replication_role = replica");
    await tx.query(
      `insert into private.daily_figures as known (day, sign_ups, memories, photos, videos, accounts, active, all_memories, all_media, stored, cards)
       select (now() at time zone 'utc')::date - i, 34 + 9 * sin(i * 0.9) - i / 5, 21 + 6 * sin(i * 0.9) - i / 8,
         410 + 160 * sin(i * 0.9) - 3 * i, 14 + 6 * sin(i * 0.9) - i / 9, 9120 - 31 * i, 3460 - 12 * i, 5240 - 18 * i, 148000 - 370 * i,
         (412 - 1.6 * i) * 1e9, jsonb_build_object('waiting', 14, 'ordered', 9, 'engraved', 6, 'sent', 1180 - 4 * i)
       from generate_series(0, 59) i
       on conflict (day) do update set sign_ups = excluded.sign_ups, memories = excluded.memories, photos = excluded.photos, videos = excluded.videos,
         accounts = excluded.accounts, active = excluded.active, all_memories = excluded.all_memories, all_media = excluded.all_media,
         stored = excluded.stored, cards = excluded.cards`,
    );
    await tx.query(
      `insert into orders (email, currency, subtotal, total, status, created_at, paid_at)
       select 'demonstration@example.com', case when i % 3 = 0 then 'EUR' else 'GBP' end, amount, amount, 'paid', at, at
       from generate_series(0, 240) i, lateral (select now() - i * interval '6 hours' + sin(i) * interval '2 hours' - interval '1 minute' as at,
         (array[4500, 2500, 4500, 12000, 7000, 4500, 18000])[1 + i % 7] as amount) paid`,
    );
  });
}

/** An administrator, a person with a plan, a note and an order, a failed email, and messages to the site. */
async function prepare({ server, person }: Setup) {
  const [admin, ada] = [await staffAt(server, "admin"), await person("Ada", { plan: "skies-memories" })];
  const written = await writeToUs({ server }, ada);
  await admin.client
    .from("inbox_entries")
    .insert([
      { item_id: written.messageId, kind: "note", body: "Perhaps in the trash?" },
      { item_id: written.messageId, kind: "answer", body: "Please look in the trash.\n\nThe photo may be there." },
    ])
    .throwOnError();
  const cover = `${randomUUID()}.jpg`;
  await admin.client.storage.from("covers").upload(cover, await jpeg(1200, 800, "tan"));
  await admin.client
    .from("blog_posts")
    .update({ author: "Skies and friends", cover, cover_alt: "A box of slides on a table" })
    .eq("slug", "a-box-of-slides")
    .throwOnError();
  await admin.client.from("staff_notes").insert({ user_id: ada.id, body: "Asked for a receipt" }).throwOnError();
  await server
    .service()
    .from("orders")
    .insert({ user_id: ada.id, email: ada.email, currency: "GBP", subtotal: 4500, total: 4500, status: "expired" })
    .throwOnError();
  await server.change(async (db) => {
    await db.query(
      `insert into private.outbox (kind, template, language, recipient, state, settled_at, attempts, last_error)
       values ('mail', 'welcome', 'en', 'nobody@example.com', 'dead', now(), 12, 'Failed to send welcome email: Mailbox unavailable')`,
    );
    await bringFigures(db);
  });
  return { admin, ada, ...written };
}

const asAdmin = ({ admin }: { admin: Person }) => admin;
const theirs = ({ ada }: { ada: Person }) => `/admin/people/${ada.id}`;

export const deskScreens = screenArea("the desk: figures, people, system and audit log", prepare, [
  {
    route: "/admin",
    state: "as it opens",
    path: "/admin",
    as: asAdmin,
    enter: heading("adminOverview:metrics.signUps"),
  },
  {
    route: "/admin",
    state: "with a plot as a table",
    path: "/admin",
    as: asAdmin,
    async enter(page, say) {
      await page.getByText(say("adminOverview:table.open")).first().click();
      await expect(page.getByRole("columnheader", { name: say("adminOverview:table.before") }).first()).toBeVisible();
    },
  },
  {
    route: "/admin/people",
    state: "with people",
    path: "/admin/people",
    as: asAdmin,
    enter: (page, _say, { ada }) => expect(page.getByText(ada.email)).toBeVisible(),
  },
  {
    route: "/admin/people",
    state: "with nobody found",
    path: "/admin/people?find=zzzz",
    as: asAdmin,
    enter: text("adminPeople:empty.title"),
  },
  {
    route: "/admin/people/:id",
    state: "as it opens",
    path: theirs,
    as: asAdmin,
    enter: text("adminPeople:has.photos"),
  },
  {
    route: "/admin/people/:id",
    state: "giving a plan",
    path: theirs,
    as: asAdmin,
    enter: dialog("adminPeople:acts.plan.open"),
  },
  {
    route: "/admin/people/:id",
    state: "erasing",
    path: theirs,
    as: asAdmin,
    enter: dialog("adminPeople:acts.erase.open"),
  },
  {
    route: "/admin/people/:id",
    state: "of nobody",
    path: "/admin/people/nobody",
    as: asAdmin,
    enter: text("adminPeople:gone.title"),
  },
  {
    route: "/admin/inbox",
    state: "with a message and a report",
    path: "/admin/inbox",
    as: asAdmin,
    // Another test of this worker may have sent messages, too.
    enter: (page) => expect(page.getByText("A photo is missing").first()).toBeVisible(),
  },
  {
    route: "/admin/inbox",
    state: "with nothing found",
    path: "/admin/inbox?find=zzzz",
    as: asAdmin,
    enter: text("adminInbox:empty.title"),
  },
  {
    route: "/admin/inbox/:id",
    state: "a message with a note and an answer",
    path: ({ messageId }) => `/admin/inbox/${messageId}`,
    as: asAdmin,
    enter: (page) => expect(page.getByText("Please look in the trash.")).toBeVisible(),
  },
  {
    route: "/admin/inbox/:id",
    state: "a report",
    path: ({ reportId }) => `/admin/inbox/${reportId}`,
    as: asAdmin,
    enter: text("adminInbox:report.private"),
  },
  {
    route: "/admin/inbox/:id",
    state: "hiding what was reported",
    path: ({ reportId }) => `/admin/inbox/${reportId}`,
    as: asAdmin,
    enter: dialog("adminInbox:decisions.hide.open"),
  },
  {
    route: "/admin/inbox/:id",
    state: "of nothing",
    path: "/admin/inbox/nothing",
    as: asAdmin,
    enter: text("adminInbox:gone.title"),
  },
  {
    route: "/admin/blog",
    state: "with posts",
    path: "/admin/blog",
    as: asAdmin,
    enter: (page) => expect(page.getByText("a-box-of-slides")).toBeVisible(),
  },
  {
    route: "/admin/blog",
    state: "with nothing found",
    path: "/admin/blog?find=zzzz",
    as: asAdmin,
    enter: text("adminBlog:empty.title"),
  },
  {
    route: "/admin/blog/:slug",
    state: "a published post with an earlier version",
    path: "/admin/blog/a-box-of-slides",
    as: asAdmin,
    enter: async (page, say) => {
      await heading("adminBlog:revisions.title")(page, say);
      await expect(page.locator(".ProseMirror")).toBeVisible();
    },
  },
  {
    route: "/admin/blog/:slug",
    state: "as readers see it",
    path: "/admin/blog/a-box-of-slides",
    as: asAdmin,
    enter: async (page, say) => {
      await click(page, say("adminBlog:steps.preview"));
      await expect(page.getByRole("article")).toBeVisible();
    },
  },
  {
    route: "/admin/blog/:slug",
    state: "a new post that lacks everything",
    path: "/admin/blog/_new",
    as: asAdmin,
    enter: async (page, say) => {
      await expect(page.locator(".ProseMirror")).toBeVisible();
      await click(page, say("adminBlog:steps.publish"));
      await text("adminBlog:wrong.title")(page, say);
    },
  },
  {
    route: "/admin/blog/:slug",
    state: "importing Markdown",
    path: "/admin/blog/_new",
    as: asAdmin,
    enter: dialog("adminBlog:markdown.open"),
  },
  {
    route: "/admin/blog/:slug",
    state: "of nothing",
    path: "/admin/blog/nothing",
    as: asAdmin,
    enter: text("adminBlog:gone.title"),
  },
  {
    route: "/admin/system",
    state: "as it opens",
    path: "/admin/system",
    as: asAdmin,
    enter: text("adminSystem:outbox.error"),
  },
  {
    route: "/admin/system",
    state: "with a photo that could not be prepared",
    path: "/admin/system",
    as: asAdmin,
    alone: true,
    async enter(page) {
      await page.route(/desk_file_failures/, (route) => route.fulfill({ json: UNPREPARED }));
      await page.reload();
      await expect(page.getByText("image/vnd.adobe.photoshop.with.layers")).toBeVisible();
    },
  },
  {
    route: "/admin/audit",
    state: "with acts",
    path: "/admin/audit",
    as: asAdmin,
    enter: (page) => expect(page.getByText("staff_notes.insert").first()).toBeVisible(),
  },
]);
