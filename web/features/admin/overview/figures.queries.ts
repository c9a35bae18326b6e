import { queryOptions } from "@tanstack/react-query";
import type { Returned } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";

export type FigureRow = Returned<"desk_figures">[number];

export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** The figures of thirty days, 26 weeks or twelve months, and of the preceding period of the same length. */
export const figuresQuery = (client: SupabaseClient, period: Period) =>
  queryOptions({
    queryKey: queryKeys.deskFigures(period),
    queryFn: async ({ signal }): Promise<FigureRow[]> =>
      client.rpc("desk_figures", { period }).abortSignal(signal).then(unwrap("Failed to load the figures")),
    refetchInterval: 60_000,
  });

/** The number of waiting items in each queue. */
export const queuesQuery = (client: SupabaseClient) =>
  queryOptions({
    queryKey: queryKeys.deskFigures("queues"),
    queryFn: async ({ signal }): Promise<Returned<"desk_queues">> =>
      client.rpc("desk_queues").abortSignal(signal).then(unwrap("Failed to load the figures")),
    refetchInterval: 60_000,
  });
