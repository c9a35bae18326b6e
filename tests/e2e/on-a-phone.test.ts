import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("going back on a phone closes a menu and a dialog before it leaves the page", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const memory = await memoryWith(ada, []);
  const page = await visit({ as: ada, ...PHONE });
  // Only Chrome on Android connects these to its back button.
  await page.addInitScript(() => {
    const open: EventTarget[] = [];
    class CloseWatcher extends EventTarget {
      constructor() {
        super();
        open.push(this);
      }
      destroy() {
        open.splice(open.indexOf(this), 1);
      }
    }
    const goBack = () => (open.length > 0 ? open.at(-1)?.dispatchEvent(new Event("close")) : history.back());
    Object.assign(window, { CloseWatcher, goBack });
  });
  const goBack = () => page.evaluate(() => (window as unknown as { goBack: () => void }).goBack());
  await page.goto("/");
  await page.getByRole("link", { name: /Rosa/ }).click();
  // The start page has a heading, too, and the next page takes the focus from a menu.
  await expect(page.getByRole("heading", { level: 1, name: "Rosa Bellini" })).toBeVisible();

  await page.getByRole("button", { name: say("layout:menu"), exact: true }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await goBack();
  await expect(page.getByRole("menu")).toBeHidden();

  await page.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await goBack();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/memory/${memory.id}$`));
  await goBack();
  await expect(page).toHaveURL(/\/$/);
});

test("a page begins below a phone's camera, and nothing on it is as high as the window with its bars hidden", async ({
  visit,
}) => {
  const page = await visit(PHONE);
  await page.goto("/about");
  await expect(page.locator('meta[name="viewport"]')).toHaveAttribute("content", /viewport-fit=cover/);
  const styles = await page.evaluate(() =>
    [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join("\n"),
  );
  expect(styles).toContain("env(safe-area-inset-left)");
  expect(styles).not.toMatch(/height: 100vh/);
});
