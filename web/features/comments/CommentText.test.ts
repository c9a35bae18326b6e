import { expect, test } from "vitest";
import { textParts } from "./CommentText.tsx";

const links = (text: string) =>
  textParts(text).flatMap((part) => (part.kind === "link" ? [[part.text, part.href]] : []));

test.each([
  ["See https://example.com/a?b=c#d.", "https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
  ["(as on www.example.com/trees)", "www.example.com/trees", "https://www.example.com/trees"],
  ["http://example.com/a_(b), she said", "http://example.com/a_(b)", "http://example.com/a_(b)"],
  ["HTTPS://EXAMPLE.COM!", "HTTPS://EXAMPLE.COM", "https://example.com/"],
])("%s becomes a link to its page", (text, label, href) => {
  expect(links(text)).toEqual([[label, href]]);
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "https://bank.example@evil.example/",
  "https://user:word@evil.example/",
  "http://localhost/x",
  "https://",
  "www.",
  "<a href=x onclick=y>",
])("%s does not become a link", (text) => {
  expect(links(text)).toEqual([]);
});

test("an address ends before a tag or a quotation mark", () => {
  expect(links('https://example.com/"onclick="x <b>https://example.com<b>')).toEqual([
    ["https://example.com/", "https://example.com/"],
    ["https://example.com", "https://example.com/"],
  ]);
});

test("a mention is highlighted by the longest matching name", () => {
  expect(textParts("For @Anna Rossi and @Anna: @Bob", ["Anna", "Anna Rossi"])).toEqual([
    { kind: "text", text: "For " },
    { kind: "mention", text: "@Anna Rossi" },
    { kind: "text", text: " and " },
    { kind: "mention", text: "@Anna" },
    { kind: "text", text: ": @Bob" },
  ]);
});

test("a long text without addresses is parsed quickly", () => {
  const text = "(www.".repeat(1000);
  expect(
    textParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});
