import { expect, test } from "vitest";
import { cleanEmail } from "../html/html.ts";
import { looksLikeAddress, withoutLinks, withVisibleTargets } from "./visible-targets.ts";

const site = "https://skies.example";
const visible = (html: string) => withVisibleTargets(cleanEmail(html, site), site);
const EVIL = '<a href="https://evil.example/login">https://evil.example/login</a>';

test.each([
  ["a link to another site", '<a href="https://evil.example/login">Verify</a>', `Verify (${EVIL})`],
  [
    "bold text",
    '<a href="https://evil.example/login">Ve<strong>ri</strong>fy</a>',
    `Ve<strong>ri</strong>fy (${EVIL})`,
  ],
  ["our address", '<a href="https://evil.example/login">https://skies.example/login</a>', EVIL],
  ["our host", '<a href="https://evil.example/login">Skies.Example</a>', EVIL],
  ["our host in words", '<a href="https://evil.example/login">log in at skies.example now</a>', EVIL],
  ["our address in pieces", '<a href="https://evil.example/login">https://<em>skies</em>.exam<b>ple</b></a>', EVIL],
  ["wide letters", '<a href="https://evil.example/login">ｓｋｉｅｓ．ｅｘａｍｐｌｅ</a>', EVIL],
  ["hidden characters", '<a href="https://evil.example/login">skies.\u200bexa\u00admple</a>', EVIL],
  ["another dot", '<a href="https://evil.example/login">skies·example</a>', EVIL],
  ["a joiner", '<a href="https://evil.example/login">skies.\u200dexample</a>', EVIL],
  ["an invisible tag", '<a href="https://evil.example/login">skies.\u{e0020}example</a>', EVIL],
  ["another protocol", '<a href="https://evil.example/login">ftp://skies</a>', EVIL],
  ["a host of one letter", '<a href="https://evil.example/login">s.example</a>', EVIL],
  ["an IP address", '<a href="https://evil.example/login">203.0.113.1</a>', EVIL],
  ["our mail address", '<a href="https://evil.example/login">help@skies.example</a>', EVIL],
  ["no text", '<a href="https://evil.example/login"></a>', EVIL],
  ["a user name like our host", '<a href="https://skies.example@evil.example/login">Here</a>', `Here (${EVIL})`],
  [
    "a foreign mailbox",
    '<a href="mailto:a@evil.example">help@skies.example</a>',
    '<a href="mailto:a@evil.example">a@evil.example</a>',
  ],
  ["its own address", EVIL, EVIL],
  ["its own address, shortened", '<a href="https://evil.example/login">evil.example/login</a>', EVIL],
  [
    "a link inside a link",
    '<a href="https://a.example/">one <a href="https://evil.example/login">two</a></a>',
    `one  (<a href="https://a.example/">https://a.example/</a>)two (${EVIL})`,
  ],
  [
    "our page",
    '<a href="https://skies.example/shared/x">See the photos</a>',
    '<a href="https://skies.example/shared/x">See the photos</a>',
  ],
  [
    "our page by another name",
    '<a href="https://skies.example/shared/x">bank.example</a>',
    '<a href="https://skies.example/shared/x">https://skies.example/shared/x</a>',
  ],
  [
    "a host that begins like ours",
    '<a href="https://skies.example.evil.example/">Here</a>',
    'Here (<a href="https://skies.example.evil.example/">https://skies.example.evil.example/</a>)',
  ],
])("%s shows where it leads", (_what, html, expected) => {
  expect(visible(`<p>Look: ${html} and more</p>`)).toBe(`<p>Look: ${expected} and more</p>`);
});

test("no character before a link turns its address", () => {
  const reversed = '<a href="https://evil.example/elpmaxe.seiks//:sptth">Here</a>';
  for (const turning of ["\u202e", "&#x202e;", "\u202b", "\u202d\u202e"]) {
    expect(visible(`<p>${turning}Look: ${reversed}</p>`)).not.toMatch(/[\u202a-\u202e]/);
  }
});

test("a long address shows its whole host", () => {
  const host = `skies.example.${"a.".repeat(100)}evil.example`;
  expect(visible(`<a href="https://${host}/${"b".repeat(100)}">Here</a>`)).toContain(`>https://${host}/…</a>`);
  expect(visible(`<a href="https://evil.example/${"b".repeat(200)}">Here</a>`)).toMatch(/>https:\/\/evil.{108}…</);
});

test("a host in letters that look alike is shown as ASCII", () => {
  expect(visible('<a href="https://skіes.example/">Here</a>')).toContain(">https://xn--");
});

test.each(["Ada Rossi", "Dr. J. R. Ewing", "St. Mary", "J.R.", "e.g.", "2.5 km", "12.11.1931", "Rosa, 1931"])(
  "%s is no address",
  (text) => {
    expect(looksLikeAddress(text)).toBe(false);
    expect(withoutLinks(text)).toBe(text);
  },
);

test.each([
  "https://evil.example",
  "evil.example/x",
  "a@evil.example",
  "Call www.evil.example",
  "t.co/x",
  "ftp://evil",
])("mail programs find no link in %s", (text) => {
  expect(withoutLinks(text)).not.toMatch(/\w\.\w|:\/|@\w/);
  expect(withoutLinks(text).replaceAll("\u2060", "")).toBe(text);
});
