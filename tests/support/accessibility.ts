import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, ElementContext, NodeResult, RunOptions } from "axe-core";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe leaves in a page. */
declare const axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> };

const LOOKS: { colorScheme: "light" | "dark"; options: RunOptions }[] = [
  { colorScheme: "light", options: {} },
  // Themes differ in their colours and in nothing else.
  { colorScheme: "dark", options: { runOnly: ["color-contrast", "link-in-text-block"] } },
];

/** Fails when axe finds anything on the page as it is, in the light or in the dark theme. */
export async function expectAccessible(page: Page) {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(source);
  for (const { colorScheme, options } of LOOKS) {
    // A colour on its way from one theme to the other is neither: motion off.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const found = await page.evaluate(async (asked) => {
      // Only what is wrong is described, which is most of the work spared.
      const { violations } = await axe.run(document, { ...asked, resultTypes: ["violations"] });
      return violations.map(({ id, help, nodes }) => ({
        rule: `${id}: ${help}`,
        nodes: nodes.map(({ html, failureSummary = "" }) => ({ html, failureSummary })),
      }));
    }, options);
    expect(
      found.map(({ rule, nodes }) => `${rule}\n  ${nodes.map(describe).join("\n  ")}`),
      `axe, ${colorScheme}, ${page.url()}`,
    ).toEqual([]);
  }
}

const describe = (node: Pick<NodeResult, "html"> & { failureSummary: string }) =>
  `${node.html}\n    ${node.failureSummary}`;
