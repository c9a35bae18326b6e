import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Json } from "../../../../shared/database.ts";
import { CURRENCIES, type Currency } from "../../../../shared/money.ts";
import { amountIn, type Catalogue, type CataloguePlan, catalogueQuery } from "../../../data/catalogue.queries.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { type Revised, saveOver } from "../../../data/save-over.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { supabase } from "../../../lib/request/supabase.ts";

/** The price in each currency; null if it is not sold in that currency. */
type Prices = Record<Currency, number | null>;

/** What an administrator edits of a plan. `save_plan` compares the values themselves, so the revision is constant. */
export type PlanTerms = Pick<CataloguePlan, "name" | "max_memories" | "storage_gb" | "term_years" | "included_cards"> &
  Prices &
  Revised;

/** What an administrator edits of the metal card. The discounts are percentages by minimum quantity. */
export type CardTerms = Prices & Revised & { discounts: Record<string, number> };

type Amounts = readonly { currency: Currency; amount: number }[];

const pricesOf = (amounts: Amounts) =>
  Object.fromEntries(CURRENCIES.map((currency) => [currency, amountIn(currency, amounts) ?? null])) as Prices;

export const planTerms = (plan: Omit<CataloguePlan, "id" | "position">): PlanTerms => {
  const { name, max_memories, storage_gb, term_years, included_cards, plan_prices } = plan;
  return { name, max_memories, storage_gb, term_years, included_cards, ...pricesOf(plan_prices), revision: 0 };
};

type CardPrices = Pick<NonNullable<Catalogue["card"]>, "product_prices" | "quantity_discounts">;

export const cardTerms = ({ product_prices, quantity_discounts }: CardPrices): CardTerms => ({
  ...pricesOf(product_prices),
  discounts: Object.fromEntries(
    quantity_discounts.map(({ min_quantity, percentage }) => [min_quantity, Number(percentage)]),
  ),
  revision: 0,
});

/** The JSON of terms: prices are an object of their own. As a base, it has no entry for missing prices. */
function termsJson<Terms extends Prices & Revised>(terms: Partial<Terms>, isBase: boolean) {
  const { revision: _, ...rest } = terms;
  const prices: Partial<Prices> = {};
  for (const currency of CURRENCIES) {
    const amount = rest[currency];
    delete rest[currency];
    if (amount !== undefined && !(isBase && amount === null)) prices[currency] = amount;
  }
  return { ...rest, prices } as Json;
}

const refused = (error: { message: string } | null) => {
  if (error) throw new Error(error.message, { cause: error });
};

/** Saves changed terms over those that they are based on. Rejects with `EditConflict` like `saveOver`. */
async function saveTerms<Terms extends Prices & Revised>(
  base: Terms,
  next: Partial<Terms>,
  {
    call,
    read,
  }: {
    call: (json: {
      based_on: Json;
      changes: Json;
    }) => PromiseLike<{ error: { code: string; message: string; hint: string } | null }>;
    read: () => Promise<Terms | undefined>;
  },
) {
  let basis = base;
  try {
    await saveOver<Terms>(base, next, {
      failure: "Failed to save the prices",
      async write(changes) {
        const { error } = await call({ based_on: termsJson(basis, true), changes: termsJson(changes, false) });
        return { data: error ? null : { ...basis, ...changes }, error };
      },
      async read() {
        const stored = await read();
        if (stored) basis = stored;
        return { data: stored ?? null, error: null };
      },
    });
  } catch (error) {
    // The server's reason.
    refused(((error as Error).cause as { message: string } | undefined) ?? null);
    throw error;
  }
}

const readAgain = (cache: QueryClient) => cache.fetchQuery({ ...catalogueQuery, staleTime: 0 });

interface PlanSave {
  id: string;
  /** The terms on which the changes are based; undefined for a new plan. */
  base: PlanTerms | undefined;
  terms: Partial<PlanTerms>;
}

/** Changes the terms and prices of a plan, or creates it. Existing purchases keep their terms. */
export function useSavePlan() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, base, terms }: PlanSave) => {
      const call = (json: { based_on?: Json; changes: Json }) => supabase.rpc("save_plan", { plan_id: id, ...json });
      if (!base) return refused((await call({ changes: termsJson(terms, false) })).error);
      await saveTerms(base, terms, {
        call,
        read: async () => {
          const plan = (await readAgain(cache)).plans.find((one) => one.id === id);
          return plan && planTerms(plan);
        },
      });
    },
    onSuccess: () => refresh(cache, queryKeys.catalogue()),
  });
}

/** Changes the metal card's prices and quantity discounts; adds it to the catalogue if missing. */
export function useSaveCard() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ base, terms }: { base: CardTerms; terms: Partial<CardTerms> }) =>
      saveTerms(base, terms, {
        call: (json) => supabase.rpc("save_card", json),
        read: async () => cardTerms((await readAgain(cache)).card ?? { product_prices: [], quantity_discounts: [] }),
      }),
    onSuccess: () => refresh(cache, queryKeys.catalogue()),
  });
}
