import type { Who, World } from "../support/world.ts";
import type { Verbs } from "./statement.ts";

/** As `statements()`, for what is sold: the catalogue, orders, cards and affiliates. */
export const saleStatements = (
  { ada, hash, voucherId, cardId, bareCardId, affiliateId, orphanId }: World,
  who: Who,
): Record<string, Verbs> => ({
  "public.subscription_plans": {
    select: ["select id from subscription_plans where id = 'skies-pro'", []],
    insert: ["insert into subscription_plans (id, name, storage_gb, position) values ('x', 'X', 1, 9)", []],
    update: ["update subscription_plans set storage_gb = 9 where id = 'skies-pro'", []],
    delete: ["delete from subscription_plans where id = 'skies-pro'", []],
  },
  "public.plan_prices": {
    select: ["select amount from plan_prices where plan_id = 'skies-pro' and currency = 'GBP'", []],
    insert: ["insert into plan_prices (plan_id, currency, amount) values ('skies-starter', 'GBP', 1)", []],
    update: ["update plan_prices set amount = 1 where plan_id = 'skies-pro' and currency = 'GBP'", []],
    delete: ["delete from plan_prices where plan_id = 'skies-pro' and currency = 'GBP'", []],
  },
  "public.products": {
    select: ["select name from products where id = 'metal-card'", []],
    insert: ["insert into products (id, name, position) values ('x', 'X', 9)", []],
    update: ["update products set name = 'X' where id = 'metal-card'", []],
    delete: ["delete from products where id = 'metal-card'", []],
  },
  "public.product_prices": {
    select: ["select amount from product_prices where product_id = 'metal-card' and currency = 'GBP'", []],
    insert: [
      "insert into product_prices (product_id, currency, amount) values ('metal-card', 'GBP', 1) on conflict (product_id, currency) do update set amount = 1",
      [],
    ],
    update: ["update product_prices set amount = 1 where product_id = 'metal-card' and currency = 'GBP'", []],
    delete: ["delete from product_prices where product_id = 'metal-card' and currency = 'GBP'", []],
  },
  "public.quantity_discounts": {
    select: ["select percentage from quantity_discounts where min_quantity = 25", []],
    insert: ["insert into quantity_discounts (product_id, min_quantity, percentage) values ('metal-card', 9, 1)", []],
    update: ["update quantity_discounts set percentage = 99 where min_quantity = 25", []],
    delete: ["delete from quantity_discounts where min_quantity = 25", []],
  },
  "public.vouchers": {
    select: ["select code from vouchers where id = $1", [voucherId]],
    insert: ["insert into vouchers (code, percentage) values ('MINE', 100)", []],
    update: ["update vouchers set percentage = 100 where id = $1", [voucherId]],
    delete: ["delete from vouchers where id = $1", [voucherId]],
  },
  "public.voucher_uses": {
    select: ["select percentage from voucher_uses where voucher_id = $1", [voucherId]],
    insert: [
      "insert into voucher_uses (voucher_id, order_id, user_id, percentage) values ($1, gen_random_uuid(), $2, 15)",
      [voucherId, ada],
    ],
    update: ["update voucher_uses set released_at = now() where voucher_id = $1", [voucherId]],
    delete: ["delete from voucher_uses where voucher_id = $1", [voucherId]],
  },
  "public.user_subscriptions": {
    select: ["select id from user_subscriptions where user_id = $1", [ada]],
    insert: [
      "insert into user_subscriptions (user_id, plan_id, expires_at) values ($1, 'skies-pro', 'infinity')",
      [ada],
    ],
    update: ["update user_subscriptions set expires_at = 'infinity' where user_id = $1", [ada]],
    delete: ["delete from user_subscriptions where user_id = $1", [ada]],
  },
  "public.cart_items": {
    select: ["select id from cart_items where user_id = $1", [ada]],
    insert: ["insert into cart_items (user_id, product_id) values ($1, 'metal-card')", [ada]],
    update: ["update cart_items set quantity = 2 where user_id = $1", [ada]],
    delete: ["delete from cart_items where user_id = $1", [ada]],
  },
  "public.orders": {
    select: ["select id from orders where user_id = $1", [ada]],
    insert: ["insert into orders (user_id, email, currency, subtotal, total) values ($1, 'x', 'GBP', 1, 1)", [ada]],
    update: ["update orders set status = 'paid' where user_id = $1", [ada]],
    delete: ["delete from orders where user_id = $1", [ada]],
  },
  "public.campaigns": {
    select: ["select id from campaigns", []],
    insert: ["insert into campaigns (name) values ('X')", []],
    update: ["update campaigns set active = false", []],
    delete: ["delete from campaigns", []],
  },
  "public.refunds": {
    select: ["select id from refunds where order_id in (select id from orders)", []],
    insert: ["insert into refunds select gen_random_uuid(), id, 1, 'X' from orders limit 1", []],
    update: ["update refunds set state = 'done'", []],
    delete: ["delete from refunds", []],
  },
  "public.order_items": {
    select: ["select id from order_items where order_id in (select id from orders where user_id = $1)", [ada]],
    insert: [
      `insert into order_items (order_id, kind, product_id, quantity, unit_amount, total)
       select id, 'card', 'metal-card', 1, 1, 1 from orders where user_id = $1`,
      [ada],
    ],
    update: [
      "update order_items set details = '{}' where order_id in (select id from orders where user_id = $1)",
      [ada],
    ],
    delete: ["delete from order_items where order_id in (select id from orders where user_id = $1)", [ada]],
  },
  "public.affiliates": {
    select: ["select id from affiliates where id = $1", [affiliateId]],
    insert: ["insert into affiliates (user_id) values ($1)", [orphanId]],
    update: ["update affiliates set state = 'left' where id = $1", [affiliateId]],
    delete: ["delete from affiliates where id = $1", [affiliateId]],
  },
  "public.affiliate_clicks": {
    select: ["select clicks from affiliate_clicks where affiliate_id = $1", [affiliateId]],
    insert: ["insert into affiliate_clicks (affiliate_id, day) values ($1, '2020-01-01')", [affiliateId]],
    update: ["update affiliate_clicks set clicks = 9 where affiliate_id = $1", [affiliateId]],
    delete: ["delete from affiliate_clicks where affiliate_id = $1", [affiliateId]],
  },
  "public.commissions": {
    select: ["select id from commissions where affiliate_id = $1", [affiliateId]],
    insert: [
      `insert into commissions (affiliate_id, order_id, currency, base, earned, earned_at, payable_at)
       select $1, id, 'GBP', 10, 3, now(), now() from orders where user_id = $2`,
      [affiliateId, ada],
    ],
    update: ["update commissions set held = true where affiliate_id = $1", [affiliateId]],
    delete: ["delete from commissions where affiliate_id = $1", [affiliateId]],
  },
  "public.payouts": {
    select: ["select id from payouts where affiliate_id = $1", [affiliateId]],
    insert: ["insert into payouts (affiliate_id, currency, amount) values ($1, 'GBP', 1)", [affiliateId]],
    update: ["update payouts set amount = 1 where affiliate_id = $1", [affiliateId]],
    delete: ["delete from payouts where affiliate_id = $1", [affiliateId]],
  },
  "public.metal_cards": {
    select: ["select id from metal_cards where id = $1", [cardId]],
    insert: ["insert into metal_cards (user_id) values ($1)", [ada]],
    update: ["update metal_cards set blocked = 'lost' where id = $1", [cardId]],
    delete: ["delete from metal_cards where id = $1", [cardId]],
  },
  "public.card_secrets": {
    select: ["select card_id from card_secrets where card_id = $1", [cardId]],
    insert: ["insert into card_secrets (card_id, hash) values ($1, $2)", [bareCardId, hash]],
    update: ["update card_secrets set hash = $2 where card_id = $1", [cardId, hash]],
    delete: ["delete from card_secrets where card_id = $1", [cardId]],
  },
  "public.card_deliveries": {
    select: ["select address from card_deliveries where card_id = $1", [cardId]],
    insert:
      who === "service"
        ? ["insert into card_deliveries (card_id, address, user_id) values ($1, '{}', $2)", [bareCardId, ada]]
        : ["insert into card_deliveries (card_id, address) values ($1, '{}')", [bareCardId]],
    update: ["update card_deliveries set address = '{}' where card_id = $1", [cardId]],
    delete: ["delete from card_deliveries where card_id = $1", [cardId]],
  },
});
