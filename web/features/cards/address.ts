import type { Delivery } from "../../../shared/card.ts";

/** Where a card goes, as the fields of a form. */
export interface Address {
  name: string;
  line1: string;
  line2: string;
  postal_code: string;
  city: string;
  state: string;
  /** Two capitals (ISO 3166). */
  country: string;
}

export const addressOf = (delivery: Delivery | null | undefined): Address => ({
  name: delivery?.name ?? "",
  line1: delivery?.address.line1 ?? "",
  line2: delivery?.address.line2 ?? "",
  postal_code: delivery?.address.postal_code ?? "",
  city: delivery?.address.city ?? "",
  state: delivery?.address.state ?? "",
  country: delivery?.address.country ?? "",
});

export const deliveryOf = ({ name, ...address }: Address): Delivery => ({ name, address });

/** Where cards are sent to: the countries that the payment page offers too. */
export const COUNTRIES = [
  "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LI LT LU LV MT NL NO PL PT RO SE SI SK",
  "AU CA NZ US",
].flatMap((codes) => codes.split(" "));
