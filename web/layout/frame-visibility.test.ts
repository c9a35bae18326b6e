import { expect, test } from "vitest";
import { asksConsent, showsFooter, showsHeader } from "./frame-visibility.ts";

test.each(["/", "/login", "/register", "/about", "/pricing", "/blog", "/contact-us", "/affiliates", "/login/"])(
  "Spec §2: a visitor sees no header at %s, a signed-in person does",
  (path) => {
    expect(showsHeader(path, false)).toBe(false);
    expect(showsHeader(path, true)).toBe(true);
  },
);

test.each(["/home", "/shared/abc", "/memory/new", "/blog/1", "/nowhere"])(
  "Spec §2: everybody sees the header at %s",
  (path) => {
    expect(showsHeader(path, false)).toBe(true);
    expect(showsHeader(path, true)).toBe(true);
  },
);

test("Spec §2: the footer is hidden only on /", () => {
  expect(showsFooter("/")).toBe(false);
  for (const path of ["/home", "/login", "/register", "/shared/abc", "/nowhere"]) expect(showsFooter(path)).toBe(true);
});

test("the consent question is on every page except a share gate", () => {
  for (const path of ["/shared/abc", "/shared/abc/def", "/C/ABCDEFGH1234"]) expect(asksConsent(path)).toBe(false);
  for (const path of ["/", "/contact-us", "/sharedness"]) expect(asksConsent(path)).toBe(true);
});
