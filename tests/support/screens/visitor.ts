import { expect } from "@playwright/test";
import { heading, type Setup, screenArea, text } from "./screen.ts";

const VOUCHER = "SCREENS";
const ADDRESS = "gina@example.com";

async function prepare({ server }: Setup) {
  await server
    .service()
    .from("vouchers")
    .upsert({ code: VOUCHER, percentage: 10 }, { onConflict: "code" })
    .throwOnError();
}

export const visitorScreens = screenArea("what a visitor sees", prepare, [
  { route: "/", state: "as a visitor", path: "/", enter: heading("home:steps.title") },
  {
    route: "/",
    state: "asking about cookies",
    path: "/",
    unanswered: true,
    enter: (page, say) => expect(page.getByRole("button", { name: say("consent:accept") })).toBeVisible(),
  },
  { route: "/home", state: "as a visitor", path: "/home", enter: heading("home:steps.title") },
  { route: "/pricing", state: "as a visitor", path: "/pricing", enter: heading("pricing:heading") },
  {
    route: "/pricing",
    state: "with a voucher",
    path: `/pricing?voucher=${VOUCHER}`,
    enter: text("vouchers:held", { code: VOUCHER, percentage: 10 }),
  },
  { route: "/affiliates", state: "as a visitor", path: "/affiliates", enter: heading("affiliates:hero.title") },
  { route: "/notices/stop", state: "asking", path: "/notices/stop?token=a.b", enter: heading("notices:stop.title") },
  {
    route: "/unsubscribe",
    state: "with a broken link",
    path: "/unsubscribe",
    enter: heading("people:unsubscribe.invalid"),
  },
  {
    route: "/unsubscribe",
    state: "asking",
    path: `/unsubscribe?token=${Buffer.from(ADDRESS).toString("hex")}.b`,
    enter: heading("people:unsubscribe.title"),
  },
  { route: "/memory/new", state: "as a visitor", path: "/memory/new", enter: heading("layout:fallback.title") },
  { route: "*", state: "unknown address", path: "/nowhere", enter: heading("layout:notFound.title") },
]);
