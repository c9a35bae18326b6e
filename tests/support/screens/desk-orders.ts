import { expect } from "@playwright/test";
import type { Person } from "../people.ts";
import type { ProductServer } from "../product-server.ts";
import { staffMember } from "../staff.ts";
import { click, dialog, heading, type Setup, screenArea, text } from "./screen.ts";

/** An administrator, and an order of a plan and two cards. */
async function prepare({ server, person }: Setup) {
  const buyer = await person("Ada");
  const { data: order } = await server
    .service()
    .from("orders")
    .insert({
      user_id: buyer.id,
      email: buyer.email,
      currency: "GBP",
      subtotal: 9500,
      total: 9500,
      payment_intent: `pi_${buyer.id}`,
      delivery: {
        name: "Ada Byron",
        address: { line1: "1 St James's Square", city: "London", postal_code: "SW1Y 4JU", country: "GB" },
      },
    })
    .select("id, number")
    .single()
    .throwOnError();
  const engraving = { name: "Rosa Bellini", dates: "1931 – 2024", finish: "steel", language: "en" };
  await server
    .service()
    .from("order_items")
    .insert([
      {
        order_id: order.id,
        kind: "plan",
        plan_id: "skies-memories",
        quantity: 1,
        unit_amount: 4500,
        total: 4500,
        terms: { name: "Skies Memories", storage_gb: 100, term_years: 1, included_cards: 1 },
        details: {},
      },
      {
        order_id: order.id,
        kind: "card",
        product_id: "metal-card",
        quantity: 2,
        unit_amount: 2500,
        total: 5000,
        terms: { name: "Metal card" },
        details: { engraving },
      },
    ])
    .throwOnError();
  await server.service().from("orders").update({ status: "paid" }).eq("id", order.id).throwOnError();
  const joined = await buyer.client.from("affiliates").insert({}).select("id, code").single().throwOnError();
  const affiliate: string = joined.data.code;
  await server.change(async (db) => {
    await db.query("insert into affiliate_clicks (affiliate_id, clicks) values ($1, 240)", [joined.data.id]);
    await db.query(
      `insert into commissions (affiliate_id, order_id, currency, base, earned, earned_at, payable_at)
       values ($1, $2, 'GBP', 9500, 2850, now() - interval '40 days', now() - interval '10 days')`,
      [joined.data.id, order.id],
    );
  });
  await server
    .service()
    .from("vouchers")
    .insert({ code: "DESK-SCREEN", percentage: 15, applies_to_cards: false })
    .throwOnError();
  return { admin: await administrator(server), order, affiliate };
}

/** A signed-in administrator of a server in a separate process. */
export async function administrator(server: ProductServer): Promise<Person> {
  let admin: Person | undefined;
  await server.change(async (db) => {
    admin = await staffMember({ client: server.client, service: server.service, db }, "admin");
  });
  if (!admin) throw new Error("No administrator");
  return admin;
}

const asAdmin = ({ admin }: { admin: Person }) => admin;

export const deskOrderScreens = screenArea("the desk’s orders, cards and catalogue", prepare, [
  {
    route: "/admin/orders",
    state: "with orders",
    path: "/admin/orders",
    as: asAdmin,
    enter: (page, _say, { order }) => expect(page.getByRole("link", { name: order.number })).toBeVisible(),
  },
  {
    route: "/admin/orders",
    state: "with none found",
    path: "/admin/orders?find=nobody",
    as: asAdmin,
    enter: text("adminOrders:empty"),
  },
  {
    route: "/admin/orders/:id",
    state: "paid",
    path: ({ order }) => `/admin/orders/${order.id}`,
    as: asAdmin,
    enter: heading("adminOrders:timeline"),
  },
  {
    route: "/admin/orders/:id",
    state: "refunding",
    path: ({ order }) => `/admin/orders/${order.id}`,
    as: asAdmin,
    enter: dialog("adminOrders:refund.open"),
  },
  {
    route: "/admin/cards",
    state: "with the bench open and a card chosen",
    path: "/admin/cards",
    as: asAdmin,
    async enter(page, say) {
      await page.getByText(say("adminCards:bench.title")).click();
      await page.getByRole("checkbox").first().check();
      await expect(page.getByText(say("adminCards:packHint"))).toBeVisible();
    },
  },
  {
    route: "/admin/catalogue",
    state: "with a new campaign and a plan being changed",
    path: "/admin/catalogue",
    as: asAdmin,
    async enter(page, say) {
      await click(page, say("adminCatalogue:newCampaign"));
      await page.getByLabel(say("adminCatalogue:percentage")).fill("15");
      await click(page, "Skies Pro");
      await page.getByLabel(say("adminCatalogue:priceIn", { currency: "GBP" })).fill("99");
      await page.getByText(say("adminCatalogue:preview")).click();
      await expect(page.getByRole("heading", { name: "Skies Master" })).toBeVisible();
    },
  },
  {
    route: "/admin/affiliates",
    state: "with an affiliate, paying out",
    path: ({ affiliate }) => `/admin/affiliates?find=${affiliate}`,
    as: asAdmin,
    enter: dialog("adminAffiliates:pay"),
  },
]);
