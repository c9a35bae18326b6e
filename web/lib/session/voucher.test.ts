import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { useVoucher } from "./voucher.ts";

const Page = () => useVoucher().code;

test("Spec §8: reading the voucher outside its provider is an error", () => {
  expect(() => renderToString(createElement(Page))).toThrow("useVoucher must be used within a VoucherProvider");
});
