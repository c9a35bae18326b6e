import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Returned, Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { endOfDay, startOfDay } from "../../../lib/formatting/local-day.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

export type AuditRow = Row<"audit_log">;
type Place = Pick<AuditRow, "happened_at" | "id">;

/** The filter: exact action or subject, actor, and days of the reader's time zone, each "" for all. */
export interface AuditWish {
  find: string;
  actor: string;
  since: string;
  until: string;
}

const PAGE = 50;
const NEWEST_FIRST: PageOrder<Place> = [
  ["happened_at", "down"],
  ["id", "down"],
];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => UUID.test(text);

/** Actions of staff, newest first. */
export const auditQuery = (client: SupabaseClient, filter: AuditWish) =>
  infiniteQueryOptions({
    queryKey: queryKeys.audit("rows", filter),
    queryFn: async ({ pageParam, signal }): Promise<AuditRow[]> => {
      const { find, actor, since, until } = filter;
      let query = client.from("audit_log").select("*");
      if (find) query = find.includes(".") ? query.eq("action", find) : query.eq("subject", find);
      if (isId(actor)) query = query.eq("actor", actor);
      if (since) query = query.gte("happened_at", startOfDay(since));
      if (until) query = query.lt("happened_at", new Date(Date.parse(endOfDay(until)) + 1).toISOString());
      return inPages(query, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load the audit log"));
    },
    initialPageParam: undefined as Place | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });

/** The maximum number of names in one request. */
const NAMED = 200;

/** The current names of these accounts; deleted ones are missing. */
export const namesQuery = (client: SupabaseClient, ids: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.audit("names", ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Returned<"desk_names">[number]>> => {
      const batches = Array.from({ length: Math.ceil(ids.length / NAMED) }, (_none, batch) =>
        client
          .rpc("desk_names", { ids: ids.slice(batch * NAMED, (batch + 1) * NAMED) })
          .abortSignal(signal)
          .then(unwrap("Failed to load the names")),
      );
      return new Map((await Promise.all(batches)).flat().map((one) => [one.id, one]));
    },
  });
