import { expect, test } from "vitest";
import { emailHtml } from "./email-html.ts";

test("typed text is escaped in the email", () => {
  const html = emailHtml([
    `<img src=x onerror="x()">`,
    { quote: "</p><script>x()</script>" },
    { link: `https://x.example/?a="><b>&b`, label: "<i>Open</i>" },
  ]);
  expect(html).not.toMatch(/<(img|script|b|i)\b/);
  expect(html).toContain("&lt;img src=x onerror=&quot;x()&quot;&gt;");
  expect(html).toContain(`<a href="https://x.example/?a=&quot;&gt;&lt;b&gt;&amp;b">&lt;i&gt;Open&lt;/i&gt;</a>`);
});

test("a note keeps its lines, and an empty field is left out", () => {
  expect(emailHtml(["", undefined, { quote: " " }, { quote: "Dear Bob,\r\ncome." }])).toBe(
    "<blockquote><p>Dear Bob,<br>come.</p></blockquote>",
  );
});
