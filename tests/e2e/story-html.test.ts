import { cleanHtml } from "../../server/html/html.ts";
import { expect, test } from "../support/e2e.ts";
import { hostileHtml } from "../support/hostile-html.ts";
import { loadModules } from "../support/in-browser.ts";
import { pasted } from "../support/pasted.ts";

const SHOWN_STORY = "web/features/stories/shown-story.ts";
const EDITOR = "web/media/editor";
const PHOTO = "a0000000-0000-4000-8000-000000000001";

/** What the app's own modules export, as a page has them. */
declare const loaded: {
  shownStory(html: string): ({ html: string } | { media: string; caption: string })[];
  pastedHtml(html: string): string;
  writtenStory(html: string): string;
  storySchema(): never[];
  Editor: new (options: {
    element: Element;
    extensions: never[];
    content: string;
  }) => { getHTML(): string; destroy(): void };
};

test("a story acts in nobody's browser, even one that no server has cleaned", async ({ page, expectedErrors }) => {
  // Corrupt addresses of the test's own corpus; nothing else may fail.
  expectedErrors.push(/ERR_|Failed to load/);
  await loadModules(page, [SHOWN_STORY]);
  const found = await page.evaluate(
    async (corpus) => {
      const faults: string[] = [];
      Object.assign(window, { hit: () => faults.push("something ran") });
      const main = document.querySelector("main") ?? document.body;
      for (const html of corpus) {
        main.innerHTML = loaded
          .shownStory(html)
          .map((part) => ("html" in part ? part.html : ""))
          .join("");
        for (const element of main.querySelectorAll("*")) {
          const names = element
            .getAttributeNames()
            .filter((name) => !["href", "rel", "data-media", "start"].includes(name));
          const allowed = /^(P|BR|STRONG|EM|H2|H3|UL|OL|LI|BLOCKQUOTE|A|HR|FIGURE|FIGCAPTION)$/.test(element.tagName);
          const link = element.getAttribute("href");
          if (!allowed || names.length > 0 || (link && !/^(https:\/\/|mailto:)/.test(link)))
            faults.push(`${html}: ${element.outerHTML}`);
        }
      }
      // Handlers of pictures and animations run a little later than they are written.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return faults;
    },
    [...hostileHtml, ...hostileHtml.map(cleanHtml)],
  );
  expect(found).toEqual([]);
});

test("what is written is stored and shown byte for byte, and what is pasted becomes a story", async ({ page }) => {
  await loadModules(page, [
    SHOWN_STORY,
    `${EDITOR}/pasted-html.ts`,
    `${EDITOR}/written-story.ts`,
    `${EDITOR}/story-schema.ts`,
    "node_modules/@tiptap/core/dist/index.js",
  ]);
  const edited = (htmls: string[], isPasted: boolean) =>
    page.evaluate(
      ([all, paste]) =>
        all.map((html) => {
          const content = paste ? loaded.pastedHtml(html) : html;
          const element = document.querySelector("main") ?? document.body;
          const editor = new loaded.Editor({ element, extensions: loaded.storySchema(), content });
          const written = loaded.writtenStory(editor.getHTML());
          editor.destroy();
          const shown = loaded
            .shownStory(written)
            .map((part) =>
              "html" in part
                ? part.html
                : `<figure data-media="${part.media}"><figcaption>${part.caption}</figcaption></figure>`,
            );
          return { written, shown: shown.join("") };
        }),
      [htmls, isPasted] as const,
    );

  const written = [
    "<p>She sang.<br>Always.</p><p></p><p>Even in <em>winter</em>, <strong>loudly &amp; <em>well</em></strong>.</p>",
    "<h2>Summers</h2><h3>By the sea</h3><hr><blockquote><p>“Bring soup.”</p></blockquote><p>x</p>",
    '<ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul><ol start="4"><li><p>three</p></li></ol>',
    '<p><a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer nofollow">here</a>&nbsp;&lt;b&gt; "it\'s"</p>',
    `<figure data-media="${PHOTO}"><figcaption>On the hill, once = 1</figcaption></figure><p>x</p>`,
    `<figure data-media="${PHOTO}"><figcaption></figcaption></figure>`,
  ];
  for (const [index, result] of (await edited(written, false)).entries()) {
    expect(result).toEqual({ written: written[index], shown: written[index] });
    expect(cleanHtml(result.written)).toBe(result.written);
  }

  const stories = await edited(
    pasted.map(([, html]) => html),
    true,
  );
  for (const [index, [from, , story]] of pasted.entries()) {
    expect(stories[index]?.written, from).toBe(story);
    expect(cleanHtml(story), from).toBe(story);
  }
  for (const { written } of await edited(hostileHtml, true)) expect(cleanHtml(written)).toBe(written);
});
