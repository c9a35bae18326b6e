import { describe, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { isSqlError } from "../../server/database/database.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, WHO, type Who } from "../support/world.ts";
import type { Statement } from "./statement.ts";
import { statements } from "./statements.ts";

const VERBS = ["select", "insert", "update", "delete"] as const;
type Verb = (typeof VERBS)[number];

/**
 * What each kind of caller can do with Ada's rows: see, add, change or delete them (1), go by them as if they were not
 * there (0), or be refused (×).
 */
const PERMISSIONS = `
                                    nobody  stranger  visitor  superseded  guest  viewer  contributor  co-owner  owner  service  administrator  support  fulfilment  editor  aal1-admin
  public.profiles           select  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.memories           select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
  public.media              select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  0       0         0        0           0      0       0            1         1      1        0              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.media_details      select  0       0         0        0           0      0       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.media_credits      select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.guests             select  0       0         0        0           1      0       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.stories            select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           1      ×       1            1         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            delete  0       0         0        0           0      0       0            1         1      1        0              0        0           0       0
  public.story_credits      select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.memory_entries     select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            1         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
  public.trash              select  0       0         0        0           0      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.share_links        select  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            1         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
  public.memory_blocks      select  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.memory_withdrawals select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.reports            select  ×       0         ×        ×           ×      1       0            0         0      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.contact_messages   select  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.audit_log          select  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
  public.staff_notes        select  ×       0         ×        ×           ×      0       0            0         0      1        1              1        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.inbox_items        select  ×       0         ×        ×           ×      0       0            0         0      1        1              1        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      ×        1              1        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
  public.inbox_entries      select  ×       0         ×        ×           ×      0       0            0         0      1        1              1        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              1        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.blog_posts         select  1       1         1        1           1      1       1            1         1      1        1              1        1           1       1
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           1       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           1       0
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           1       0
  public.blog_revisions     select  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           1       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      ×        ×              ×        ×           ×       ×
  public.link_versions      select  0       0         1        1           0      0       0            0         0      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.share_openings     select  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.share_pins         select  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            1         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
  public.memory_members     select  ×       0         ×        ×           ×      1       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            ×         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      1       0            1         1      1        0              0        0           0       0
  public.albums             select  0       0         0        0           0      0       0            0         1      1        0              0        0           0       0
                            insert  ×       1         ×        ×           ×      1       1            1         1      1        1              1        1           1       1
                            update  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
  public.comments           select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           1      ×       1            1         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.comment_credits    select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.reactions          select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           1      ×       1            1         1      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  0       0         0        0           0      0       0            1         1      1        0              0        0           0       0
  public.reaction_credits   select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.invitations        select  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            1         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.handovers          select  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         0      0        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       0         ×        ×           ×      0       0            1         1      1        0              0        0           0       0
  public.subscription_plans select  1       1         1        1           1      1       1            1         1      1        1              1        1           1       1
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.plan_prices        select  1       1         1        1           1      1       1            1         1      1        1              1        1           1       1
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.products           select  1       1         1        1           1      1       1            1         1      1        1              1        1           1       1
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.product_prices     select  1       1         1        1           1      1       1            1         1      1        1              1        1           1       1
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.quantity_discounts select  1       1         1        1           1      1       1            1         1      1        1              1        1           1       1
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.campaigns          select  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.vouchers           select  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.voucher_uses       select  ×       0         ×        ×           ×      0       0            0         1      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.user_subscriptions select  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.cart_items         select  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
  public.orders             select  ×       0         ×        ×           ×      0       0            0         1      1        1              1        1           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.order_items        select  ×       0         ×        ×           ×      0       0            0         1      1        1              1        1           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.refunds            select  ×       0         ×        ×           ×      0       0            0         0      1        1              1        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.affiliates         select  ×       0         ×        ×           ×      0       0            0         1      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        1              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.affiliate_clicks   select  ×       0         ×        ×           ×      0       0            0         1      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.commissions        select  ×       0         ×        ×           ×      0       0            0         1      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.payouts            select  ×       0         ×        ×           ×      0       0            0         1      1        1              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        1              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       0         ×        ×           ×      0       0            0         0      1        1              0        0           0       0
  public.metal_cards        select  ×       0         ×        ×           ×      0       0            0         1      1        1              1        1           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        1              0        ×           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.card_secrets       select  ×       0         ×        ×           ×      0       0            0         1      1        1              0        1           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        1              ×        1           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        1              0        1           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.card_deliveries    select  ×       0         ×        ×           ×      0       0            0         1      1        1              1        1           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        1              0        1           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.email_preferences  select  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
  public.notices            select  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            delete  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
  public.notice_settings    select  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
  public.notice_preferences select  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        ×              ×        ×           ×       ×
                            update  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
                            delete  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
  public.memory_reminders   select  ×       0         ×        ×           ×      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         1      1        ×              ×        ×           ×       ×
                            update  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            delete  ×       0         ×        ×           ×      0       0            0         1      1        0              0        0           0       0
  storage.objects           select  0       0         1        0           1      1       1            1         1      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           1      ×       1            1         1      1        ×              ×        ×           ×       ×
                            update  0       0         0        0           0      0       0            1         1      1        0              0        0           0       0
                            delete  0       0         0        0           0      0       0            1         1      1        0              0        0           0       0
  storage.buckets           select  0       0         0        0           0      0       0            0         0      1        0              0        0           0       0
                            insert  ×       ×         ×        ×           ×      ×       ×            ×         ×      1        ×              ×        ×           ×       ×
                            update  0       0         0        0           0      0       0            0         0      1        0              0        0           0       0
                            delete  0       0         0        0           0      0       0            0         0      1        0              0        0           0       0
`;

/** What only the server's own connection can touch: to every caller, the service too, all four verbs are refused. */
const CLOSED = [
  "auth.attempts",
  "auth.flow_state",
  "auth.identities",
  "auth.known_devices",
  "auth.mfa_amr_claims",
  "auth.mfa_challenges",
  "auth.mfa_factors",
  "auth.oauth_client_states",
  "auth.one_time_tokens",
  "auth.refresh_tokens",
  "auth.sessions",
  "auth.signing_keys",
  "auth.users",
  "migrations.applied",
  "private.account_use",
  "private.content_sources",
  "private.correspondents",
  "private.daily_figures",
  "private.guest_keys",
  "private.guest_receipts",
  "private.invitation_tokens",
  "private.job_leases",
  "private.job_states",
  "private.measured_files",
  "private.media_claims",
  "private.motion_claims",
  "private.notice_mail",
  "private.outbox",
  "private.payment_events",
  "private.playback_claims",
  "private.video_copies",
  "private.prepared_downloads",
  "private.refusals",
  "private.returned_amounts",
  "private.share_attempts",
  "realtime.changes",
  "storage.discarded",
  "storage.uploads",
];

type Cell = "×" | 0 | 1;

const cell = (text: string | undefined): Cell => {
  if (text === "×") return text;
  if (text === "0" || text === "1") return Number(text) as 0 | 1;
  throw new Error(`The table of permissions has a cell that says "${text}"`);
};

/** The table as one line for each table, verb and caller. */
function lines(): [table: string, verb: Verb, who: Who, expected: Cell][] {
  const [head = "", ...rows] = PERMISSIONS.trim().split("\n");
  expect(head.trim().split(/\s+/)).toEqual([...WHO]);
  let table = "";
  return rows.flatMap((row) => {
    const words = row.trim().split(/\s+/);
    if (words[0]?.includes(".")) table = words.shift() ?? "";
    const verb = VERBS.find((known) => known === words[0]);
    if (!verb) throw new Error(`The table of permissions has a line that says "${row}"`);
    return WHO.map((who, i): [string, Verb, Who, Cell] => [table, verb, who, cell(words[i + 1])]);
  });
}

const db = await testDatabase();
const world = await makeWorld(db);

class Undo extends Error {}

/** How many rows a caller reaches with a statement, which is undone, those moved to the trash too; or that it was refused. */
async function reach(who: Who, [text, values]: Statement): Promise<number | "×"> {
  let reached = 0;
  try {
    await asCaller(db, world.callers[who], async (tx) => {
      const { rows, changed } = await tx.query(text, values);
      const trashed = /^delete/.test(text)
        ? await tx.query("select id from trash where deleted_at = now()")
        : { rows: [] };
      reached = Math.max(rows.length, changed, trashed.rows.length);
      throw new Undo();
    });
  } catch (error) {
    if (isSqlError(error) && error.code === "42501") return "×";
    if (!(error instanceof Undo)) throw error;
  }
  return reached;
}

describe("Ada's rows", () => {
  test.each(lines())("%s: %s by %s gives %s", async (table, verb, who, expected) => {
    const statement = statements(world, who)[table]?.[verb];
    if (!statement) throw new Error(`There is no statement to ${verb} ${table}`);
    expect(await reach(who, statement)).toBe(expected);
  });
});

describe("what belongs to the server alone", () => {
  test.each(CLOSED.flatMap((table) => WHO.map((who): [string, Who] => [table, who])))(
    "%s is closed to %s",
    async (table, who) => {
      const { rows } = await db.query<{ name: string }>(
        "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum limit 1",
        [table],
      );
      const column = rows[0]?.name;
      for (const text of [
        `select 1 from ${table}`,
        `insert into ${table} default values`,
        `update ${table} set ${column} = default`,
        `delete from ${table}`,
      ]) {
        expect(await reach(who, [text, []])).toBe("×");
      }
    },
  );
});

test("no table is forgotten here", async () => {
  const { rows } = await db.query<{ name: string }>(`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
    order by 1`);
  const known = new Set([...lines().map(([table]) => table), ...CLOSED]);
  expect(rows.map(({ name }) => name)).toEqual([...known].sort());
});
