import fc from "fast-check";
import { expect, test } from "vitest";
import { htmlToStory, storyToHtml } from "./html-story.ts";

test("empty lines make paragraphs, single ones make lines", () => {
  expect(storyToHtml("She sang.\nAlways.\n\n\nEven in winter.\n")).toBe(
    "<p>She sang.<br />Always.</p><p>Even in winter.</p>",
  );
  expect(storyToHtml("  \n\n ")).toBe("");
});

test("what a person writes is shown as written, never as markup", () => {
  expect(storyToHtml("<script>alert(1)</script> & 'so on'")).toBe(
    "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#39;so on&#39;</p>",
  );
});

test("richer stories come back as readable text", () => {
  expect(
    htmlToStory("<h2>Summers</h2>\n<p>The <strong>sea</strong>&nbsp;&amp; us.</p><ul><li>one</li><li>two</li></ul>"),
  ).toBe("Summers\n\nThe sea & us.\n\none\ntwo");
});

test("a story read back and stored again does not change", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "è", "<", "&", "amp;", "'", "\n", " ") }), (text) => {
      const html = storyToHtml(text);
      expect(storyToHtml(htmlToStory(html))).toBe(html);
    }),
  );
});
