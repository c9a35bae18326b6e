import { randomBytes } from "node:crypto";
import type { FormObject } from "./form-body.ts";

/** The vendor's resources, with the fields that are used here. All money is in the smallest unit of its currency. */
export interface Coupon {
  id: string;
  object: "coupon";
  amount_off: number;
  currency: string;
  duration: string;
  name: string | null;
  valid: boolean;
  created: number;
}

export interface LineItem {
  id: string;
  object: "item";
  description: string;
  quantity: number;
  currency: string;
  amount_subtotal: number;
  price: { object: "price"; unit_amount: number; currency: string };
}

export interface Address {
  line1: string;
  line2: string | null;
  city: string;
  state: string | null;
  postal_code: string;
  country: string;
}

export interface Session {
  id: string;
  object: "checkout.session";
  mode: string;
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid" | "no_payment_required";
  payment_intent: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  currency: string;
  amount_subtotal: number;
  amount_total: number;
  total_details: { amount_discount: number; amount_tax: number; amount_shipping: number };
  automatic_tax: { enabled: boolean; status: string | null };
  customer_email: string | null;
  customer_details: { email: string | null; phone: string | null; name: string | null } | null;
  collected_information: { shipping_details: { name: string; address: Address } | null } | null;
  shipping_address_collection: { allowed_countries: string[] } | null;
  phone_number_collection: { enabled: boolean };
  locale: string | null;
  success_url: string;
  cancel_url: string | null;
  url: string | null;
  created: number;
  expires_at: number;
  livemode: false;
}

export interface PaymentIntent {
  id: string;
  object: "payment_intent";
  amount: number;
  amount_received: number;
  currency: string;
  status: "requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled";
  latest_charge: string | null;
  metadata: Record<string, string>;
  created: number;
  last_payment_error: { code: string; decline_code?: string; message: string } | null;
}

export interface Charge {
  id: string;
  object: "charge";
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  disputed: boolean;
  paid: boolean;
  currency: string;
  payment_intent: string;
  receipt_url: string | null;
  status: "succeeded" | "pending" | "failed";
  created: number;
}

export interface Refund {
  id: string;
  object: "refund";
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  status: "succeeded" | "failed";
  reason: string | null;
  metadata: FormObject;
  created: number;
}

export interface Dispute {
  id: string;
  object: "dispute";
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  status: "needs_response" | "won" | "lost";
  reason: string;
  created: number;
}

export interface VendorEvent {
  id: string;
  object: "event";
  api_version: string;
  created: number;
  type: string;
  data: { object: object };
  livemode: false;
  pending_webhooks: number;
}

export const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;
export const seconds = () => Math.floor(Date.now() / 1000);
