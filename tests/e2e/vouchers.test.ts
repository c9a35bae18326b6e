import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

const KEYS = ["voucher_code", "cart_voucher_code"];

/** Reads the code from session and local storage. */
const keptCodes = () => [
  sessionStorage.getItem("voucher_code"),
  localStorage.getItem("voucher_code"),
  localStorage.getItem("cart_voucher_code"),
];

test("Spec §4: a voucher code in the URL is stored, checked and applied to the prices, and is gone once removed", async ({
  server,
  visit,
  expectedErrors,
}) => {
  const [en, it] = [textsIn("en"), textsIn("it")];
  await server
    .service()
    .from("vouchers")
    .insert([
      { code: "SPRING15", percentage: 15, applies_to_cards: true },
      { code: "ONLY-PRO", percentage: 50, plan_ids: ["skies-pro"], applies_to_cards: false },
    ])
    .throwOnError();

  const page = await visit();
  // Spec §2: on any page.
  await page.goto("/login?voucher=spring15");
  await expect.poll(() => page.evaluate(keptCodes)).toEqual(["spring15", "spring15", "spring15"]);

  await page.goto("/pricing");
  await expect(page.getByRole("banner")).toHaveCount(0);
  const plan = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
  await expect(page.getByText(en("vouchers:held", { code: "SPRING15", percentage: 15 }))).toBeVisible();
  await expect(plan("Skies Memories")).toContainText("£38.25");
  await expect(plan("Skies Memories")).toContainText(en("pricing:instead", { price: "£38.25", before: "£45.00" }));
  await expect(plan("Skies Pro")).toContainText("£102");

  // Readers of Italian pay in euros, in the British number format. Another tab of the browser has the code too.
  const other = await page.context().newPage();
  await other.goto("/pricing?lng=it");
  await expect(other.getByText(it("vouchers:held", { code: "SPRING15", percentage: 15 }))).toBeVisible();
  await expect(other.getByText("€38.25", { exact: true })).toBeVisible();

  await other.getByRole("button", { name: it("vouchers:remove") }).click();
  await expect(other.getByText("€45", { exact: true }).first()).toBeVisible();
  await expect(plan("Skies Memories")).not.toContainText("£38.25");
  expect(await other.evaluate((keys) => keys.map((key) => localStorage.getItem(key)), KEYS)).toEqual([null, null]);
  await other.reload();
  await expect(other.getByLabel(it("vouchers:label"))).toHaveValue("");

  const field = page.getByLabel(en("vouchers:label"));
  const apply = page.getByRole("button", { name: en("vouchers:apply") });
  await apply.click();
  await expect(page.getByText("No voucher code provided")).toBeVisible();
  await field.fill("nothing-there");
  await apply.click();
  await expect(page.getByText("Invalid voucher code")).toBeVisible();
  await expect.poll(() => page.evaluate(keptCodes)).toEqual([null, null, null]);

  // A lost network is no refusal: the code stays, also after a reload, and is checked once the network is back.
  await page.context().setOffline(true);
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  await field.fill("only-pro");
  await apply.click();
  await expect(page.getByText("Failed to validate voucher code")).toBeVisible();
  await page.context().setOffline(false);
  await expect(plan("Skies Pro")).toContainText("£60");
  await expect(page.getByText(en("pricing:voucherParts"))).toBeVisible();
  await expect(plan("Skies Memories")).toContainText("£45");
});

test("Spec §4: a refused code in the URL is reported at once, and beside the prices until they are left", async ({
  visit,
}) => {
  for (const [path, language] of [
    ["/", "en"],
    ["/about", "it"],
  ] as const) {
    const say = textsIn(language);
    const page = await visit({ language });
    await page.goto(`${path}?voucher=old20`);
    await expect(page.getByText(say("vouchers:invalid"), { exact: true })).toBeVisible();
    await expect(page.getByText("OLD20", { exact: true })).toBeVisible();
    await expect(page).not.toHaveURL(/voucher/);
    await page
      .getByRole("link", { name: say("layout:pricing") })
      .first()
      .click();
    const field = page.getByLabel(say("vouchers:label"));
    await expect(field).toHaveValue("old20");
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByText(say("vouchers:invalid"), { exact: true }).last()).toBeVisible();
    await page.goBack();
    await page.goForward();
    await expect(field).toHaveValue("");
    await expect(field).not.toHaveAttribute("aria-invalid");
  }
});

test("Spec §5: a person sees when their plan ends and what a renewal gives, and is led to the payment page", async ({
  visit,
  person,
  server,
}) => {
  const say = textsIn("it");
  const ada = await person("Ada", { plan: "skies-memories" });
  await server.change((db) =>
    db.query("update user_subscriptions set expires_at = now() + interval '6 days 12 hours' where user_id = $1", [
      ada.id,
    ]),
  );
  const page = await visit({ as: ada, language: "it" });
  // A voucher that is not valid for her plan changes nothing.
  const other = { code: "OTHERS", percentage: 50, plan_ids: ["skies-pro"], applies_to_cards: false };
  await server.service().from("vouchers").insert(other).throwOnError();
  await page.goto("/dashboard?voucher=others");
  await expect(page.getByText(say("dashboard:plan.renew")).first()).toBeVisible();
  await page
    .getByRole("link", { name: say("dashboard:plan.renew") })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: say("pricing:subscribe.heading") })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Skies Memories finisce fra 7 giorni" })).toBeVisible();
  await expect(page.getByText(/viene accreditato: dura fino al/).first()).toBeVisible();
  await page.getByRole("button", { name: say("pricing:subscribe.renew", { plan: "Skies Memories" }) }).click();
  await page.waitForURL(/\/sandbox\/payments\//);
});
