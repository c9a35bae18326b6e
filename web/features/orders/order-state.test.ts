import { expect, test } from "vitest";
import { payableAt, stateOf } from "./order-state.ts";

test("a partial refund is shown, and a full refund is a separate state", () => {
  expect(stateOf({ status: "paid", total: 4500, refunded: 0 })).toBe("paid");
  expect(stateOf({ status: "paid", total: 4500, refunded: 100 })).toBe("partly");
  expect(stateOf({ status: "refunded", total: 4500, refunded: 4500 })).toBe("refunded");
  expect(stateOf({ status: "pending", total: 4500, refunded: 0 })).toBe("pending");
});

test("only an unpaid order with an open payment page can be paid", () => {
  const order = { status: "pending", session_url: "https://pay.example", expires_at: "2026-01-01T12:00:00Z" } as const;
  const [before, after] = [new Date("2026-01-01T11:59:00Z"), new Date("2026-01-01T12:00:00Z")];
  expect(payableAt(order, before)).toBe("https://pay.example");
  expect(payableAt(order, after)).toBeUndefined();
  expect(payableAt({ ...order, session_url: null }, before)).toBeUndefined();
  expect(payableAt({ ...order, status: "paid" }, before)).toBeUndefined();
});
