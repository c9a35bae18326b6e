import { expect, test } from "vitest";
import { contentSecurity, inlineScriptHashes } from "./security-headers.ts";

test("an inline script of the page is named by its hash, a script file is not", () => {
  expect(inlineScriptHashes('<script>alert(1)</script><script type="module" src="/a.js"></script>')).toEqual([
    "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='",
  ]);
});

test("without a built page no inline script may run", () => {
  const { directives } = contentSecurity();
  expect(directives["script-src"]).toEqual(["'self'"]);
  expect(directives["default-src"]).toEqual(["'self'"]);
});

test("a widget of another origin may run and open its frame, and one of this origin needs no exception", () => {
  const { directives } = contentSecurity({ widgets: ["https://widgets.example/v0/api.js", "/sandbox/api.js"] });
  expect(directives["script-src"]).toEqual(["'self'", "https://widgets.example"]);
  expect(directives["frame-src"]).toEqual(["'self'", "https://widgets.example"]);
});

test("the page may send requests to the configured analytics but run none of their scripts", () => {
  const { directives } = contentSecurity({ collectors: ["https://visits.example/g/collect", "/sandbox/analytics/tr"] });
  expect(directives["connect-src"]).toContain("https://visits.example");
  expect(directives["connect-src"]).not.toContain("/sandbox/analytics/tr");
  expect(directives["script-src"]).toEqual(["'self'"]);
});
