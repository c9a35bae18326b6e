import { queryOptions } from "@tanstack/react-query";
import type { Delivery, Engraving, OpenedCard } from "../../../shared/card.ts";
import type { Row } from "../../../shared/database.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { useRefreshedData, useRefreshingMutation } from "../../data/refreshing.ts";
import { NotUndone } from "../../data/save-over.ts";
import { callFunction } from "../../lib/request/call-function.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/** A metal card as its holder sees it. */
export type MetalCardRow = Pick<
  Row<"metal_cards">,
  "id" | "code" | "making" | "state" | "blocked" | "name" | "dates" | "finish" | "language" | "memory_id"
> & {
  /** Null without a memory, and if the holder cannot see the memory any more. */
  memory: Pick<Row<"memories">, "id" | "person_name"> | null;
  /** Null unless the reader bought the card. */
  delivery: Pick<Row<"card_deliveries">, "address" | "carrier" | "tracking_number" | "tracking_url"> | null;
};

const DELIVERY = "delivery:card_deliveries(address,carrier,tracking_number,tracking_url)";
const COLUMNS =
  `id,code,making,state,blocked,name,dates,finish,language,memory_id,memory:memories(id,person_name),${DELIVERY}` as const;

/** A person's cards: unpersonalised ones first, then the newest. */
export const cardsQuery = (client: SupabaseClient, userId: string) =>
  queryOptions({
    queryKey: queryKeys.metalCards(userId),
    queryFn: async ({ signal }): Promise<MetalCardRow[]> =>
      client
        .from("metal_cards")
        .select(COLUMNS)
        .eq("user_id", userId)
        .neq("making", "cancelled")
        .order("created_at", { ascending: false })
        .order("order_item_id")
        .order("place")
        .abortSignal(signal)
        .then(unwrap("Failed to load cards")),
  });

/** Shows changes to the cards live. */
export const useCardsLive = (client: SupabaseClient, userId: string) =>
  useRefreshedData(
    client,
    [{ event: "*", table: "metal_cards", filter: `user_id=eq.${userId}` }],
    [queryKeys.metalCards(userId)],
  );

type CardFields = Partial<Pick<MetalCardRow, "memory_id" | "blocked">>;

interface CardChange extends CardFields {
  id: string;
  /** An undo: the values that the card must still have. */
  over?: CardFields;
}

/** Changes a card's target, or turns the card off or on. The former target becomes inaccessible at once. */
export const useChangeCard = (client: SupabaseClient, userId: string) =>
  useRefreshingMutation([queryKeys.metalCards(userId)], async ({ id, over, ...change }: CardChange) => {
    let update = client.from("metal_cards").update(change).eq("id", id);
    for (const [name, value] of Object.entries(over ?? {}))
      update = value === null ? update.is(name, null) : update.eq(name, value);
    const rows = await update.select("id").then(unwrap("Failed to change the card"));
    if (rows.length === 0) throw over ? new NotUndone() : new Error("Failed to change the card");
  });

/** Sets a card's text, target and address. Rejects with the hint `engraved` as cause if it is engraved already. */
export const usePersonaliseCard = (client: SupabaseClient, userId: string, cardId: string) =>
  useRefreshingMutation(
    [queryKeys.metalCards(userId)],
    async ({ engraving, address }: { engraving: Engraving & { memory_id: string | null }; address: Delivery }) => {
      const { error } = await client.rpc("personalise_card", { card_id: cardId, words: engraving, address });
      if (error) throw new Error("Failed to save the card", { cause: error.hint });
    },
  );

const bearerOf = async (client: SupabaseClient) => (await client.auth.getSession()).data.session?.access_token;

/** The target of a scanned code, for a signed-in person or a visitor. */
export const openCard = async (code: string, client?: SupabaseClient): Promise<OpenedCard> =>
  callFunction<OpenedCard>("open-card", { code }, { bearer: client && (await bearerOf(client)) });

/** Claims a card with the activation code of its pack; resolves to its id. */
export const claimCard = async (client: SupabaseClient, code: string, secret: string): Promise<string> => {
  const bearer = await bearerOf(client);
  return (await callFunction<{ cardId: string }>("claim-card", { code, secret }, { bearer })).cardId;
};

/** Releases a card; resolves to its activation code, which is shown once. */
export const useReleaseCard = (client: SupabaseClient, userId: string) =>
  useRefreshingMutation([queryKeys.metalCards(userId)], async (cardId: string): Promise<string> => {
    const bearer = await bearerOf(client);
    return (await callFunction<{ secret: string }>("release-card", { cardId }, { bearer })).secret;
  });
