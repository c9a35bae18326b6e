import type { Who, World } from "../support/world.ts";
import { signedStatements } from "./signed-statements.ts";
import type { Statement, Verbs } from "./statement.ts";

/** One statement for each table and verb that reaches for one of Ada's rows, or for a new one beside them. */
export function statements(world: World, who: Who) {
  const {
    ada,
    bob,
    people,
    albumId,
    deletedAlbumId,
    guestId,
    invitationId,
    hash,
    memoryId,
    linkId,
    openLinkId,
    objectId,
    bareObjectId,
    orphanId,
    entryId,
    blockId,
    reportId,
    voucherId,
    cardId,
    bareCardId,
    affiliateId,
  } = world;
  const photo = `${memoryId}/${crypto.randomUUID()}.jpg`;
  // Only the service may say whose a new memory is; everybody else adds their own.
  const newMemory: Statement =
    who === "service"
      ? ["insert into memories (person_name, user_id) values ('New', $1)", [ada]]
      : who === "owner"
        ? ["insert into memories (person_name) values ('New')", []]
        : ["insert into memories (person_name, user_id) values ('New', $1)", [ada]];
  const all: Record<string, Verbs> = {
    ...signedStatements(world, who),
    "public.audit_log": {
      select: ["select id from audit_log limit 1", []],
      insert: ["insert into audit_log (role, action, subject) values ('admin', 'vouchers.update', 'X')", []],
      update: ["update audit_log set subject = 'X'", []],
      delete: ["delete from audit_log", []],
    },
    "public.inbox_items": {
      select: ["select id from inbox_items where id = $1", [reportId]],
      insert: ["insert into inbox_items (id, report_id) values ($1, $1)", [reportId]],
      update: ["update inbox_items set state = 'open' where id = $1", [reportId]],
      delete: ["delete from inbox_items where id = $1", [reportId]],
    },
    "public.inbox_entries": {
      select: ["select id from inbox_entries where item_id = $1", [reportId]],
      insert: ["insert into inbox_entries (item_id, kind, body) values ($1, 'note', 'Seen')", [reportId]],
      update: ["update inbox_entries set body = 'X'", []],
      delete: ["delete from inbox_entries", []],
    },
    "public.staff_notes": {
      select: ["select id from staff_notes where user_id = $1", [ada]],
      insert: ["insert into staff_notes (user_id, body) values ($1, 'Called')", [ada]],
      update: ["update staff_notes set body = 'X' where user_id = $1", [ada]],
      delete: ["delete from staff_notes where user_id = $1", [ada]],
    },
    "public.profiles": {
      select: ["select id from profiles where id = $1", [ada]],
      insert: ["insert into profiles (id) values ($1)", [orphanId]],
      update: ["update profiles set full_name = 'X' where id = $1", [ada]],
      delete: ["delete from profiles where id = $1", [ada]],
    },
    "public.memories": {
      select: ["select id from memories where id = $1", [memoryId]],
      insert: newMemory,
      update: ["update memories set person_name = 'X' where id = $1", [memoryId]],
      delete: ["delete from memories where id = $1", [memoryId]],
    },
    "public.media": {
      select: ["select id from media where id = $1", [objectId]],
      insert: [
        `insert into media (id, memory_id, type, size, object_name)
         values ($1, $2, 'image', 1, 'x/y.jpg')`,
        [bareObjectId, memoryId],
      ],
      update: ["update media set caption = 'X' where id = $1", [objectId]],
      delete: ["delete from media where id = $1", [objectId]],
    },
    "public.media_details": {
      select: ["select file_name from media_details where media_id = $1", [objectId]],
      insert: [
        `insert into media_details (media_id, memory_id) values ($1, $2)
         on conflict (media_id) do update set file_name = 'X.jpg'`,
        [objectId, memoryId],
      ],
      update: ["update media_details set file_name = 'X.jpg' where media_id = $1", [objectId]],
      delete: ["delete from media_details where media_id = $1", [objectId]],
    },
    "public.guests": {
      select: ["select id from guests where id = $1", [guestId]],
      insert: ["insert into guests (link_id, name) values ($1, 'X')", [linkId]],
      update: ["update guests set name = 'X' where id = $1", [guestId]],
      delete: ["delete from guests where id = $1", [guestId]],
    },
    "public.memory_entries": {
      select: ["select id from memory_entries where id = $1", [entryId]],
      insert: ["insert into memory_entries (memory_id, title) values ($1, 'New')", [memoryId]],
      update: ["update memory_entries set title = 'X' where id = $1", [entryId]],
      delete: ["delete from memory_entries where id = $1", [entryId]],
    },
    "public.memory_members": {
      select: ["select role from memory_members where memory_id = $1 and user_id = $2", [memoryId, people.viewer]],
      insert: ["insert into memory_members (memory_id, user_id, role) values ($1, $2, 'viewer')", [memoryId, bob]],
      update: ["update memory_members set role = 'co-owner' where user_id = $1", [people.viewer]],
      delete: ["delete from memory_members where user_id = $1", [people.viewer]],
    },
    "public.albums": {
      select: ["select id from albums where id = $1", [albumId]],
      insert:
        who === "service"
          ? ["insert into albums (name, user_id) values ('New', $1)", [ada]]
          : ["insert into albums (name) values ('New')", []],
      update: ["update albums set name = 'X' where id = $1", [albumId]],
      delete: ["delete from albums where id = $1", [albumId]],
    },
    "public.trash": {
      select: ["select id from trash where id = $1", [deletedAlbumId]],
      insert: ["insert into trash (kind, id, deleted_by) values ('album', $1, $2)", [albumId, ada]],
      update: ["update trash set deleted_at = now() where id = $1", [deletedAlbumId]],
      delete: ["delete from trash where id = $1", [deletedAlbumId]],
    },
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
    "public.invitations": {
      select: ["select id from invitations where id = $1", [invitationId]],
      insert: ["insert into invitations (memory_id, email, role) values ($1, 'x@example.com', 'viewer')", [memoryId]],
      update: [
        who === "service"
          ? "update invitations set state = 'withdrawn', settled_at = now() where id = $1"
          : "update invitations set state = 'withdrawn' where id = $1",
        [invitationId],
      ],
      delete: ["delete from invitations where id = $1", [invitationId]],
    },
    "public.handovers": {
      select: ["select memory_id from handovers where memory_id = $1", [memoryId]],
      insert: [
        "insert into handovers (memory_id, to_user) values ($1, $2) on conflict do nothing",
        [memoryId, people.contributor],
      ],
      update: ["update handovers set created_at = now() where memory_id = $1", [memoryId]],
      delete: ["delete from handovers where memory_id = $1", [memoryId]],
    },
    "public.notices": {
      select: ["select id from notices where user_id = $1", [ada]],
      insert: ["insert into notices (user_id, memory_id, kind) values ($1, $2, 'comment')", [ada, memoryId]],
      update: ["update notices set read_at = now() where user_id = $1", [ada]],
      delete: ["delete from notices where user_id = $1", [ada]],
    },
    "public.notice_settings": {
      select: ["select mail from notice_settings where user_id = $1", [ada]],
      insert: [
        "insert into notice_settings (user_id, mail) values ($1, 'never') on conflict (user_id) do update set mail = 'never'",
        [ada],
      ],
      update: ["update notice_settings set mail = 'never' where user_id = $1", [ada]],
      delete: ["delete from notice_settings where user_id = $1", [ada]],
    },
    "public.notice_preferences": {
      select: ["select mail from notice_preferences where user_id = $1", [ada]],
      insert: [
        `insert into notice_preferences (user_id, memory_id, mail) values ($1, $2, 'never')
         on conflict (user_id, memory_id) do update set mail = 'never'`,
        [ada, memoryId],
      ],
      update: ["update notice_preferences set mail = 'never' where user_id = $1", [ada]],
      delete: ["delete from notice_preferences where user_id = $1", [ada]],
    },
    "public.memory_reminders": {
      select: ["select occasion from memory_reminders where memory_id = $1", [memoryId]],
      insert: ["insert into memory_reminders (memory_id, occasion) values ($1, 'passing')", [memoryId]],
      update: ["update memory_reminders set occasion = 'event' where memory_id = $1", [memoryId]],
      delete: ["delete from memory_reminders where memory_id = $1", [memoryId]],
    },
    "public.share_links": {
      select: ["select id from share_links where id = $1", [linkId]],
      insert: ["insert into share_links (memory_id) values ($1)", [memoryId]],
      update: ["update share_links set label = 'X' where id = $1", [linkId]],
      // The first one can not be deleted.
      delete: ["delete from share_links where id = $1", [openLinkId]],
    },
    "public.memory_blocks": {
      select: ["select id from memory_blocks where id = $1", [blockId]],
      insert: ["insert into memory_blocks (memory_id, user_id) values ($1, $2)", [memoryId, bob]],
      update: ["update memory_blocks set name = 'X' where id = $1", [blockId]],
      delete: ["delete from memory_blocks where id = $1", [blockId]],
    },
    "public.memory_withdrawals": {
      select: ["select id from memory_withdrawals where memory_id = $1", [memoryId]],
      insert: ["insert into memory_withdrawals (memory_id, kind, ids) values ($1, 'media', '{}')", [memoryId]],
      update: ["update memory_withdrawals set ids = '{}' where memory_id = $1", [memoryId]],
      delete: ["delete from memory_withdrawals where memory_id = $1", [memoryId]],
    },
    "public.reports": {
      select: ["select id from reports where id = $1", [reportId]],
      insert: ["insert into reports (memory_id, kind, item_id, reason) values ($1, 'memory', $1, 'other')", [memoryId]],
      update: ["update reports set outcome = 'acted' where id = $1", [reportId]],
      delete: ["delete from reports where id = $1", [reportId]],
    },
    "public.contact_messages": {
      select: ["select id from contact_messages limit 1", []],
      insert: [
        "insert into contact_messages (name, email, subject, message) values ('X', 'x@example.com', 'X', '<p>X</p>')",
        [],
      ],
      update: ["update contact_messages set name = 'X'", []],
      delete: ["delete from contact_messages", []],
    },
    "public.blog_posts": {
      select: ["select id from blog_posts where slug = 'a-box-of-slides' and language = 'en'", []],
      insert: [
        "insert into blog_posts (slug, language, title, summary, body, author) values ('x', 'en', 'X', 'X', '', 'X')",
        [],
      ],
      update: ["update blog_posts set title = 'X' where slug = 'a-box-of-slides' and language = 'en'", []],
      delete: ["delete from blog_posts where slug = 'a-box-of-slides' and language = 'en'", []],
    },
    "public.link_versions": {
      select: ["select version from link_versions where link_id = $1", [linkId]],
      insert: [
        "insert into link_versions (link_id, version) values ($1, 9) on conflict (link_id) do update set version = 9",
        [linkId],
      ],
      update: ["update link_versions set version = 9 where link_id = $1", [linkId]],
      delete: ["delete from link_versions where link_id = $1", [linkId]],
    },
    "public.share_openings": {
      select: ["select id from share_openings where link_id = $1", [linkId]],
      insert: ["insert into share_openings (link_id) values ($1)", [linkId]],
      update: ["update share_openings set times = 0 where link_id = $1", [linkId]],
      delete: ["delete from share_openings where link_id = $1", [linkId]],
    },
    "public.share_pins": {
      select: ["select link_id from share_pins where link_id = $1", [linkId]],
      insert: ["insert into share_pins (link_id, hash) values ($1, $2)", [openLinkId, hash]],
      update: ["update share_pins set hash = $2 where link_id = $1", [linkId, hash]],
      delete: ["delete from share_pins where link_id = $1", [linkId]],
    },
    "public.email_preferences": {
      select: ["select email from email_preferences where email = $1", [`${ada}@example.com`]],
      // An address has one row only, and may set it whether or not it is there.
      insert: [
        `insert into email_preferences (email, unsubscribed) values ($1, true)
         on conflict (email) do update set unsubscribed = true`,
        [`${ada}@example.com`],
      ],
      update: ["update email_preferences set unsubscribed = true where email = $1", [`${ada}@example.com`]],
      delete: ["delete from email_preferences where email = $1", [`${ada}@example.com`]],
    },
    "storage.objects": {
      select: ["select id from storage.objects where id = $1", [objectId]],
      insert: [
        `insert into storage.objects (bucket_id, name, version, metadata)
         values ('media', $1, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
        [photo],
      ],
      update: ["update storage.objects set last_accessed_at = now() where id = $1", [objectId]],
      delete: ["delete from storage.objects where id = $1", [objectId]],
    },
    "storage.buckets": {
      select: ["select id from storage.buckets where id = 'spare'", []],
      insert: ["insert into storage.buckets (id, name) values ('new', 'new')", []],
      update: ["update storage.buckets set public = true where id = 'spare'", []],
      delete: ["delete from storage.buckets where id = 'spare'", []],
    },
  };
  return all;
}
