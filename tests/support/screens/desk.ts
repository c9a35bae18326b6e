import { expect } from "@playwright/test";
import type { Person } from "../people.ts";
import type { ProductServer } from "../product-server.ts";
import { staffMember } from "../staff.ts";
import { dialog, heading, type Setup, screenArea, text } from "./screen.ts";

/** Somebody of this role on a server in a process of its own, signed in with their second factor. */
export async function staffAt(server: ProductServer, role: Parameters<typeof staffMember>[1]) {
  const made: Awaited<ReturnType<typeof staffMember>>[] = [];
  await server.change(async (db) => {
    made.push(await staffMember({ client: server.client, service: server.service, db }, role));
  });
  const [member] = made;
  if (!member) throw new Error("Nobody was made");
  return member;
}

/** An administrator, somebody with a plan, a note and an order, and an email that was given up. */
async function prepare({ server, person }: Setup) {
  const [admin, ada] = [await staffAt(server, "admin"), await person("Ada", { plan: "skies-memories" })];
  await ada.client.from("memories").insert({ person_name: "Nonna" }).throwOnError();
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
    await db.query(
      `insert into private.daily_figures (day, sign_ups, memories, photos, videos, accounts, active, stored)
       select now()::date - i, 40 - i % 7, 20 + i % 5, 100 + i % 30, i % 4, 900 - i, 300 - i % 20, 1000000000::bigint * (60 - i)
       from generate_series(1, 59) i on conflict (day) do nothing`,
    );
  });
  return { admin, ada };
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
    route: "/admin/system",
    state: "as it opens",
    path: "/admin/system",
    as: asAdmin,
    enter: text("adminSystem:outbox.error"),
  },
  {
    route: "/admin/audit",
    state: "with acts",
    path: "/admin/audit",
    as: asAdmin,
    enter: (page) => expect(page.getByText("staff_notes.insert").first()).toBeVisible(),
  },
]);
