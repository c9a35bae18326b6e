import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { AxeResults, ElementContext, NodeResult, RunOptions } from "axe-core";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The global object of axe in a page. */
declare const axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> };

const LOOKS: { colorScheme: "light" | "dark"; options: RunOptions }[] = [
  { colorScheme: "light", options: {} },
  // Themes differ only in their colours.
  { colorScheme: "dark", options: { runOnly: ["color-contrast", "link-in-text-block"] } },
];

/**
 * Fails if axe finds a problem on the current page, in either theme or in the given ones. If a dialog or menu is open,
 * only that is checked: the page behind it is a separate state.
 */
export async function expectAccessible(page: Page, themes = ["light", "dark"]) {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(source);
  for (const { colorScheme, options } of LOOKS.filter((look) => themes.includes(look.colorScheme))) {
    // Without animation, because a colour in transition belongs to neither theme.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const problems = await page.evaluate(async (axeOptions) => {
      // Describing only violations saves most of the work.
      const inFront = [...document.querySelectorAll(":is([role=dialog], [role=menu])[data-state=open]")].at(-1);
      const { violations } = await axe.run(inFront ?? document, { ...axeOptions, resultTypes: ["violations"] });
      return violations.map(({ id, help, nodes }) => ({
        rule: `${id}: ${help}`,
        nodes: nodes.map(({ html, failureSummary = "" }) => ({ html, failureSummary })),
      }));
    }, options);
    expect(
      problems.map(({ rule, nodes }) => `${rule}\n  ${nodes.map(describe).join("\n  ")}`),
      `axe, ${colorScheme}, ${page.url()}`,
    ).toEqual([]);
  }
}

const describe = (node: Pick<NodeResult, "html"> & { failureSummary: string }) =>
  `${node.html}\n    ${node.failureSummary}`;
