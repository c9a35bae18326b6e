import fc from "fast-check";
import { expect, test } from "vitest";
import { goneOf, nextStatus, type OrderStatus, statusBy } from "./order-status.ts";

type Said = Parameters<typeof statusBy>[0];

const UNPAID: Said = { state: "open", payment: "none", total: 4500, refunded: 0, dispute: "none", takenBack: 0 };

/** Possible events of a payment at the provider. An event that is impossible in the current state changes nothing. */
const HAPPENINGS: Record<string, (said: Said, share: number) => Said> = {
  expire: (said) => (said.state === "open" ? { ...said, state: "expired" } : said),
  pay: (said) => (said.state === "open" ? { ...said, state: "complete", payment: "paid" } : said),
  promise: (said) => (said.state === "open" ? { ...said, state: "complete", payment: "waiting" } : said),
  keep: (said) => (said.payment === "waiting" ? { ...said, payment: "paid" } : said),
  break: (said) => (said.payment === "waiting" ? { ...said, payment: "refused" } : said),
  // A bank may accept a payment after refusing it, and a page may be paid while it expires.
  "pay after all": (said) =>
    said.payment === "refused" || said.state === "expired" ? { ...said, state: "complete", payment: "paid" } : said,
  refund: (said, share) =>
    said.payment === "paid"
      ? { ...said, refunded: said.refunded + Math.ceil((said.total - goneOf(said)) * share) }
      : said,
  dispute: (said) => (said.payment === "paid" && said.dispute === "none" ? { ...said, dispute: "open" } : said),
  win: (said) => (said.dispute === "open" ? { ...said, dispute: "won" } : said),
  lose: (said) =>
    said.dispute === "open" ? { ...said, dispute: "lost", takenBack: said.total - said.refunded } : said,
};

test("an order ends in the state of its payment, in whatever order events and checks come", () => {
  const step = fc.record({
    what: fc.constantFrom(...Object.keys(HAPPENINGS)),
    share: fc.constantFrom(0.3, 0.5, 1),
    looks: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let said = UNPAID;
      let status: OrderStatus = "pending";
      for (const { what, share, looks } of steps) {
        said = HAPPENINGS[what]?.(said, share) ?? said;
        if (looks) status = nextStatus(status, said);
        expect(goneOf(said)).toBeLessThanOrEqual(said.total);
      }
      status = nextStatus(status, said);
      expect(status).toBe(statusBy(said));
      // A fully returned payment is refunded, even if a bank disputes it later.
      expect(status === "refunded").toBe(said.payment === "paid" && goneOf(said) === said.total);
      expect(["paid", "refunded", "disputed"].includes(status)).toBe(said.payment === "paid");
    }),
    { numRuns: 2000 },
  );
});

test("a received payment is kept, whatever later events say", () => {
  for (const status of ["paid", "refunded", "disputed"] as const) {
    for (const payment of ["none", "waiting", "refused"] as const) {
      expect(nextStatus(status, { ...UNPAID, state: "expired", payment })).toBe(status);
    }
  }
});
