import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Fails when axe finds anything on the page as it stands, in the light or in the dark theme. */
export async function expectAccessible(page: Page) {
  for (const colorScheme of ["light", "dark"] as const) {
    // A colour on its way from one theme to the other is neither: motion off.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // In the page itself: otherwise axe puts its findings together in another page that is opened for each look.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    // Themes differ in their colours and in nothing else.
    if (colorScheme === "dark") axe.withRules(["color-contrast", "link-in-text-block"]);
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(describe).join("\n  ")}`);
    expect(found, `axe, ${colorScheme}, ${page.url()}`).toEqual([]);
  }
}

const describe = (node: { html: string; failureSummary?: string }) => `${node.html}\n    ${node.failureSummary}`;
