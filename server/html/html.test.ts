import { describe, expect, test } from "vitest";
import { STORY_LINK_REL } from "../../shared/story-html.ts";
import { hostileHtml } from "../../tests/support/hostile-html.ts";
import { checkHtml, cleanHtml } from "./html.ts";

const photo = "a0000000-0000-4000-8000-000000000001";

describe("HTML from the editor is kept byte for byte", () => {
  test.each([
    "",
    "<p>She sang.<br>Always.</p><p></p><p>Even in <em>winter</em>, <strong>loudly &amp; <em>well</em></strong>.</p>",
    "<h2>Summers</h2><h3>By the sea</h3><hr><blockquote><p>“Bring soup.”</p></blockquote>",
    '<ul><li><p>one</p><ul><li><p>two</p></li></ul></li></ul><ol><li><p>three</p></li></ol><ol start="4"><li><p>four</p></li></ol>',
    `<p><a href="https://example.com/?a=1&amp;b=2" rel="${STORY_LINK_REL}">here</a>&nbsp;&lt;b&gt; "it's"</p>`,
    `<p><a href="mailto:ada@example.com" rel="${STORY_LINK_REL}">Ada</a></p>`,
    `<figure data-media="${photo}"><figcaption>On the hill, once = 1</figcaption></figure>`,
    `<figure data-media="${photo}"><figcaption></figcaption></figure>`,
  ])("%s", (html) => {
    expect(cleanHtml(html)).toBe(html);
  });
});

test.each([
  ["<h1>One</h1><h5>Five</h5>", "<h2>One</h2><h3>Five</h3>"],
  ["<p><b>bold</b> <i>slanted</i> <u>plain</u></p>", "<p><strong>bold</strong> <em>slanted</em> plain</p>"],
  [
    '<p class="x" style="color:red" id="y"><a href="http://example.com" target="_blank">a</a></p>',
    `<p><a href="https://example.com" rel="${STORY_LINK_REL}">a</a></p>`,
  ],
  [
    '<a href="javascript:x()">a</a><figure><p>b</p></figure><a href="https://example.com">c</a>',
    `a<p>b</p><a href="https://example.com" rel="${STORY_LINK_REL}">c</a>`,
  ],
  ['<ol start="x" type="a" reversed><li>a</ol><ol start="1"></ol>', "<ol><li>a</li></ol><ol></ol>"],
  [
    '<p>in <del cite="x">Milan</del><ins>Turin</ins><span style="color:red; display:none">no</span></p>',
    "<p>in Turin</p>",
  ],
  ['<p hidden>no</p><p>a<span class="msocomtxt">no <b>no</b></span>b</p>', "<p>ab</p>"],
  ['<p style="font-size:0.9em;opacity:0.8">yes</p>', "<p>yes</p>"],
  ['<img src="https://example.com/x.jpg" alt="x">after', "after"],
  ['<figure data-media="x"><img src="y">Text</figure>', "Text"],
  [
    `<figure data-media="${photo}" class="x" onclick="y"><img src="z"></figure>`,
    `<figure data-media="${photo}"></figure>`,
  ],
])("%s is kept as %s", (html, expected) => {
  expect(cleanHtml(html)).toBe(expected);
});

test.each(hostileHtml)("%s is cleaned of active content, and cleaning it again changes nothing", (html) => {
  const clean = cleanHtml(html);
  expect(clean).not.toMatch(/<(?!\/?(p|br|strong|em|h2|h3|ul|ol|li|blockquote|a|hr|figure|figcaption)\b)[a-z!/]/i);
  expect(clean).not.toMatch(/<[^>]*\s(?!href=|rel=|start=|data-media=)[\w-]+\s*=/i);
  expect(clean).not.toMatch(/<[^>]*href="(?!https:\/\/|mailto:)/i);
  expect(cleanHtml(clean)).toBe(clean);
});

test("hundreds of nested elements are flattened, and thousands are refused", () => {
  const deep = (levels: number) => `${"<blockquote>".repeat(levels)}heart${"</blockquote>".repeat(levels)}`;
  expect(cleanHtml(deep(400))).toBe(`${"<blockquote>".repeat(40)}heart${"</blockquote>".repeat(40)}`);
  expect(() => cleanHtml(deep(20_000))).toThrow(expect.objectContaining({ status: 400, code: "nested_too_deep" }));
});

test("sibling elements do not count as nested", () => {
  const lines = "<p>a<br>b</p><hr><ul><li>c</ul>".repeat(1000);
  expect(cleanHtml(lines)).toBe(lines.replaceAll("c</ul>", "c</li></ul>"));
});

test("HTML that is too large to clean is refused, counted for the whole request", () => {
  expect(() => checkHtml(["<p>x</p>".repeat(10_000)])).not.toThrow();
  expect(() => checkHtml(["<p>x</p>".repeat(6000), "<br>".repeat(9000)])).toThrow(
    expect.objectContaining({ status: 400, code: "too_many_tags" }),
  );
  expect(() => checkHtml(["x".repeat(300_000), "x".repeat(200_000)])).toThrow(
    expect.objectContaining({ status: 413, code: "text_too_long" }),
  );
});
