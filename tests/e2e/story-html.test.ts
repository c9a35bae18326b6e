import type { Page } from "@playwright/test";
import { build } from "esbuild";
import { cleanHtml } from "../../server/html/html.ts";
import { expect, test } from "../support/e2e.ts";
import { hostileHtml } from "../support/hostile-html.ts";

const SHOWN_STORY = "web/features/stories/shown-story.ts";
const EDITOR = "web/media/editor";
const PHOTO = "a0000000-0000-4000-8000-000000000001";

/** The exports of the app's own modules, as a page has them. */
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

test("a story runs no script in the browser, even one that the server has not cleaned", { tag: "@sample" }, async ({
  page,
  expectedErrors,
}) => {
  // Invalid URLs of the test's own corpus; nothing else may fail.
  expectedErrors.push(/ERR_|Failed to load/);
  await loadModules(page, [SHOWN_STORY]);
  const results = await page.evaluate(
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
            .filter((name) => !["href", "rel", "data-media", "start", "dir"].includes(name));
          const allowed = /^(P|BR|STRONG|EM|H2|H3|UL|OL|LI|BLOCKQUOTE|A|HR|FIGURE|FIGCAPTION)$/.test(element.tagName);
          const link = element.getAttribute("href");
          if (!allowed || names.length > 0 || (link && !/^(https:\/\/|mailto:)/.test(link)))
            faults.push(`${html}: ${element.outerHTML}`);
        }
      }
      // Handlers of pictures and animations run a little after their insertion.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      return faults;
    },
    [...hostileHtml, ...hostileHtml.map(cleanHtml)],
  );
  expect(results).toEqual([]);
});

test("written HTML is stored and shown byte for byte, and pasted HTML is reduced to a story", async ({ page }) => {
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
          const safeHtml = loaded
            .shownStory(written)
            .map((part) =>
              "html" in part
                ? part.html
                : `<figure data-media="${part.media}"><figcaption>${part.caption}</figcaption></figure>`,
            );
          // Only the direction of the words is added.
          return { written, shown: safeHtml.join("").replaceAll(' dir="auto"', "") };
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

const root = new URL("../..", import.meta.url).pathname;

/** Loads modules of the web app into an empty page, with their exports as `window.loaded`. */
async function loadModules(page: Page, modules: string[]) {
  const { outputFiles } = await build({
    stdin: {
      contents: modules.map((path) => `export * from "./${path}";`).join("\n"),
      resolveDir: root,
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "loaded",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  await page.setContent("<!doctype html><title>Modules</title><main></main>");
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
}

/** HTML that word processors and web pages put on the clipboard, and the story that results from it. */
const pasted: [from: string, html: string, story: string][] = [
  [
    "Google Docs",
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr" style="line-height:1.38">
<span style="font-size:20pt;font-family:Arial;font-weight:700">The sea</span></h1><p dir="ltr"><span style="font-weight:400">We went </span>
<span style="font-weight:700">every</span><span style="font-style:italic"> August</span><span>.</span></p><br />
<ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc"><p dir="ltr" role="presentation"><span>Buckets</span></p></li></ul></b>`,
    "<h2>The sea</h2><p>We went <strong>every</strong><em> August</em>.</p><ul><li><p>Buckets</p></li></ul>",
  ],
  [
    "Word",
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body lang=EN-GB>
<!--StartFragment--><p class=MsoNormal style='margin-bottom:0'><b>Bold</b><o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>Soup<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp;</span></span>Twice</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;</span></span>Bread</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>First</p><!--EndFragment--></body></html>`,
    "<p><strong>Bold</strong></p><ul><li><p>Soup</p><ul><li><p>Twice</p></li></ul></li><li><p>Bread</p></li></ul><ol><li><p>First</p></li></ol>",
  ],
  [
    "Word with tracked changes, a comment and hidden text",
    `<html xmlns:w="urn:schemas-microsoft-com:office:word"><head><style><!-- span.Secret {mso-hide:all;} --></style></head><body>
<p class=MsoNormal>Born in <del cite="mailto:A" datetime="2024-01-01T10:00">Milan</del><ins cite="mailto:A" datetime="2024-01-01T10:00">Turin</ins><a
class=msocomanchor href="#_msocom_1">[A1]</a><span style='display:none;mso-hide:all'>not this</span><span class=Secret>nor this</span>.</p>
<div style='mso-element:comment-list'><hr class=msocomoff><div style='mso-element:comment'><p class=MsoCommentText>Are you sure?</p></div></div></body></html>`,
    "<p>Born in Turin.</p>",
  ],
  [
    "Google Docs with a suggested deletion",
    `<b style="font-weight:normal;" id="docs-internal-guid-2"><p dir="ltr"><span style="font-weight:400;text-decoration:none">Born in </span>
<span style="font-weight:400;text-decoration:line-through">Milan</span><span style="text-decoration:underline">Turin</span>.</p></b>`,
    "<p>Born in Turin.</p>",
  ],
  [
    "Pages with letters that are struck through by a rule",
    `<style type="text/css">span.s1 {text-decoration: line-through} span.s2 {text-decoration: none}</style><p class="p1">Born in <span class="s1">Milan</span><s>Rome</s><span class="s2">Turin</span>.</p>`,
    "<p>Born in Turin.</p>",
  ],
  [
    "a page with texts for screen readers and a mail with an invisible preview",
    `<div style="max-height: 0px; overflow: hidden; color: transparent">A preview</div><p>Dear all<span style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0px, 0px, 0px, 0px)">opens in a new tab</span>,</p>`,
    "<p>Dear all,</p>",
  ],
  [
    "a chat",
    `<meta charset='utf-8'><span dir="ltr" style="white-space: pre-wrap; color: black">Dear all,\nshe sang.\n\nWith love\nAnna</span>`,
    "<p>Dear all,<br>she sang.<br><br>With love<br>Anna</p>",
  ],
  [
    "a mail",
    `<div style="display:none;max-height:0">A preview for lists of mails</div><div dir="ltr"><div>Dear all,</div><div><br></div><div>she sang.</div></div><pre>one\ntwo</pre>`,
    "<p>Dear all,</p><p>she sang.</p><p>one<br>two</p>",
  ],
  [
    "Pages",
    `<p class="p1" style="font: 12px Helvetica">She sang<span class="Apple-converted-space">&nbsp;</span>well.</p>\n<p class="p2" style="min-height: 14px"><br></p>\n<p class="p1">Always.</p>`,
    "<p>She sang&nbsp;well.</p><p>Always.</p>",
  ],
  [
    "WhatsApp and Gmail with emoji as pictures",
    `<span dir="ltr" class="copyable-text"><span>I <img src="data:image/gif;base64,R0" alt="❤️" class="emoji"> you</span></span><div>Thanks <img data-emoji="🙏🏽" alt="🙏🏽" src="https://example.com/x.png"> <img alt="A boat" src="https://example.com/y.png"></div>`,
    "<p>I ❤️ you</p><p>Thanks 🙏🏽</p>",
  ],
  [
    "Outlook with a smile in Wingdings and Word with a field",
    `<p class=MsoNormal>See you <span style='font-family:Wingdings'>J</span> on <span style='mso-element:field-begin'></span>DATE \\@ "d MMM" <span style='mso-element:field-separator'></span>3 May<span style='mso-element:field-end'></span></p>`,
    "<p>See you ☺ on 3 May</p>",
  ],
  [
    "Google Docs with a list to check",
    `<ul><li dir="ltr" role="checkbox" aria-checked="true"><img src="data:," alt="checked"><p dir="ltr"><span style="text-decoration:line-through">Soup</span></p></li><li role="checkbox" aria-checked="false"><p>Bread</p></li></ul>`,
    "<ul><li><p>☑ Soup</p></li><li><p>☐ Bread</p></li></ul>",
  ],
  [
    "raised and lowered digits, quotations and readings",
    `<p>10<sup>2</sup> H<sub>2</sub>O, <q>never</q>, <ruby>花<rt>はな</rt></ruby>, 19<sup>th</sup>, <span style="vertical-align:super">3</span></p>`,
    "<p>10² H₂O, “never”, 花(はな), 19th, ³</p>",
  ],
  [
    "LibreOffice with a comment, and a list that begins later",
    `<p>Born in <strike>Milan</strike> <b>Turin</b><a class="sdcommentanc" href="#sdcomment1">[A1]</a></p><ol><li value="5">five</li></ol><div id="sdcomment1"><p>Sure?</p></div>`,
    '<p>Born in <strong>Turin</strong></p><ol start="5"><li><p>five</p></li></ol>',
  ],
  [
    "texts beside the window, and rules of a mail",
    `<style>.x{white-space:pre-wrap}.b{font-weight:bold}@media print{.x{display:none}}</style><div class="x">one\n<span class="b">two</span></div><p>Read<span style="position:absolute;left:-9999px">opens</span> me</p><div style="height:0;overflow:hidden">no</div>`,
    "<p>one<br><strong>two</strong></p><p>Read me</p>",
  ],
  [
    "a web page",
    `<div class="post" onclick="hit()"><h4 style="color:red">A walk</h4><p>It <i>rained</i>. <a href="http://example.com/x?a=1&amp;b=2" target="_blank" class="y">Here</a>
 <a href="javascript:hit()">there</a> <a href="/local">and</a></p><img src="https://example.com/x.jpg" onerror="hit()"><script>hit()</script>
<blockquote cite="x"><p>Bring soup.</p></blockquote><table><tr><td>one</td><td>two</td></tr></table></div>`,
    '<h3>A walk</h3><p>It <em>rained</em>. <a href="https://example.com/x?a=1&amp;b=2" rel="noopener noreferrer nofollow">Here</a> there and</p>' +
      "<blockquote><p>Bring soup.</p></blockquote><p>one</p><p>two</p>",
  ],
];
