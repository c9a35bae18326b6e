import { infiniteQueryOptions, keepPreviousData, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Row } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshedData, useRefreshingMutation } from "../../../data/refreshing.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { inPages, lastOf, type PageOrder } from "../../../lib/request/in-pages.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import { callAsStaff, fileAsStaff } from "../staff-call.ts";

/** The columns of the board in the order of production. */
export const COLUMNS = ["ordered", "engraved", "sent", "returned"] as const;
export type BoardColumn = (typeof COLUMNS)[number];

export type BoardCard = Pick<
  Row<"metal_cards">,
  "id" | "code" | "name" | "dates" | "finish" | "making" | "created_at"
> & {
  order: Pick<Row<"orders">, "id" | "number" | "status"> | null;
  delivery: Pick<Row<"card_deliveries">, "address" | "carrier" | "tracking_number"> | null;
};

const PAGE = 30;
type Position = Pick<BoardCard, "created_at" | "id">;
const OLDEST_FIRST: PageOrder<Position> = [
  ["created_at", "up"],
  ["id", "up"],
];
const NEWEST_FIRST: PageOrder<Position> = [
  ["created_at", "down"],
  ["id", "down"],
];

const CARD =
  "id, code, name, dates, finish, making, created_at, delivery:card_deliveries(address, carrier, tracking_number)";

/** A column's cards: ordered and engraved ones oldest first, others newest first. `find` is a code or order number. */
export const columnQuery = (client: SupabaseClient, making: BoardColumn, find: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.deskCards(making, find),
    queryFn: async ({ pageParam, signal }): Promise<BoardCard[]> => {
      const ofOrder = /^sk-/i.test(find);
      const all = client
        .from("metal_cards")
        .select(
          ofOrder ? `${CARD}, order:orders!inner(id, number, status)` : `${CARD}, order:orders(id, number, status)`,
        )
        .eq("making", making);
      const matches = !find
        ? all
        : ofOrder
          ? all.eq("order.number" as "code", find.toUpperCase())
          : all.eq("code", find.toUpperCase().replaceAll(/[^0-9A-Z]/g, ""));
      const order = making === "ordered" || making === "engraved" ? OLDEST_FIRST : NEWEST_FIRST;
      return inPages(matches, order, { after: pageParam, size: PAGE })
        .abortSignal(signal)
        .then(unwrap("Failed to load cards")) as unknown as Promise<BoardCard[]>;
    },
    initialPageParam: undefined as Position | undefined,
    getNextPageParam: (page) => lastOf(page, PAGE),
    select: ({ pages }) => pages.flat(),
    // Keeps rows and focus while the search changes.
    placeholderData: keepPreviousData,
  });

/** Shows changes to the board live. */
export const useBoardLive = (client: SupabaseClient) =>
  useRefreshedData(client, [{ event: "*", table: "metal_cards" }], [queryKeys.deskCards()]);

/** The new state of cards, with carrier and tracking number. */
export interface Marked {
  /** Ids or codes of the cards. */
  of: readonly string[];
  making: BoardColumn;
  /** Whether cards in a later state are moved back. */
  back?: boolean;
  carrier?: string;
  number?: string;
  url?: string;
}

/** Sets the state of cards. */
export const useMark = () =>
  useRefreshingMutation([queryKeys.deskCards()], (marked: Marked) =>
    callAsStaff<{ moved: number }>("card-status", marked),
  );

/** Generates and saves a file for cards: the engraver's pack, which marks them as engraved, or address labels. */
export function useCardFile(name: "engraver-pack" | "card-labels") {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { cards: readonly string[]; used?: number }) => fileAsStaff(name, body),
    onSuccess: (made) => saveFile(made.file, made.name),
    onSettled: () => refresh(cache, queryKeys.deskCards()),
  });
}
