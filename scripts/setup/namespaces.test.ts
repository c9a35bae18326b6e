import { expect, test } from "vitest";
import { withTexts } from "./namespaces.mjs";

test.each([
  ['const { t } = useTranslation("cart");', ["cart"]],
  ['useTranslation(["orders",\n  "cart", "common"]); useTranslation("cart");', ["orders", "cart"]],
  ['toast(translate("profile:failure.notSaved"));', ["profile"]],
  ['useTranslation(); useTranslation("layout");', []],
])("a module brings the texts that it names: %s", (code, names) => {
  expect(withTexts(code)).toBe(names.map((name) => `import "texts:${name}";`).join("") + code);
});
