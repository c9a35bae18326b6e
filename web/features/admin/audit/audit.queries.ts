import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

export type AuditRow = Row<"audit_log">;

const PAGE = 50;
const NEWEST_FIRST: PageOrder<Pick<AuditRow, "id">> = [["id", "down"]];

/** What staff did, the newest first; with `find` the rows of one action or one subject, to the letter. */
export const auditQuery = (client: SupabaseClient, find: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.audit(find),
    queryFn: async ({ pageParam, signal }): Promise<AuditRow[]> => {
      const asked = client.from("audit_log").select("*");
      const found = find ? asked.eq(find.includes(".") ? "action" : "subject", find) : asked;
      return inPages(found, NEWEST_FIRST, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load the audit log"));
    },
    initialPageParam: undefined as Pick<AuditRow, "id"> | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
  });
