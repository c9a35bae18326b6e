import { expect, test } from "vitest";
import { typedAddresses } from "./typed-addresses.ts";

test.each([
  ["anna@example.com", ["anna@example.com"]],
  [" Anna@Example.com. ", ["anna@example.com"]],
  ["anna@example.com, luca@example.com", ["anna@example.com", "luca@example.com"]],
  ["anna@example.com;luca@example.com;", ["anna@example.com", "luca@example.com"]],
  [
    "anna@example.com\r\n\r\nluca@example.com\u2028zia@example.com",
    ["anna@example.com", "luca@example.com", "zia@example.com"],
  ],
  ["anna@example.com luca@example.com", ["anna@example.com", "luca@example.com"]],
  ["anna@example.com\tluca@example.com", ["anna@example.com", "luca@example.com"]],
  [
    "anna@example.com، luca@example.com、zia@example.com；b@example.com，c@example.com",
    ["anna@example.com", "luca@example.com", "zia@example.com", "b@example.com", "c@example.com"],
  ],
  ["Anna Rossi <anna@example.com>, Luca <luca@example.com>", ["anna@example.com", "luca@example.com"]],
  ['"Rossi, Anna" <anna@example.com>; "Bianchi; Luca" <luca@example.com>', ["anna@example.com", "luca@example.com"]],
  ["Rossi, Anna <anna@example.com>; Bianchi, Luca <luca@example.com>", ["anna@example.com", "luca@example.com"]],
  ["Anna Rossi anna@example.com", ["anna@example.com"]],
  ["anna@example.com (Anna)", ["anna@example.com"]],
  ["<anna@example.com>", ["anna@example.com"]],
  ["“anna@example.com”, 'luca@example.com'", ["anna@example.com", "luca@example.com"]],
  ["To: Anna <anna@example.com>\nCc:\nluca@example.com", ["anna@example.com", "luca@example.com"]],
  [
    "• anna@example.com\n- luca@example.com\n3) zia@example.com",
    ["anna@example.com", "luca@example.com", "zia@example.com"],
  ],
  ["mailto:anna@example.com", ["anna@example.com"]],
  [
    "MAILTO:anna@example.com,luca%40example.com?subject=Ciao,%20a@b&cc=zia@example.com",
    ["anna@example.com", "luca@example.com", "zia@example.com"],
  ],
  ["Anna <mailto:anna@example.com>", ["anna@example.com"]],
  ["[anna@example.com](mailto:anna@example.com)", ["anna@example.com"]],
  ["an\u200bna@exam\u00adple.com\ufeff,\u202aluca@example.com\u202c", ["anna@example.com", "luca@example.com"]],
  ["ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ", ["anna@example.com"]],
  ["Anna\tanna@example.com\nLuca\tluca@example.com", ["anna@example.com", "luca@example.com"]],
  [
    "*anna@example.com*•luca@example.com·‘zia@example.com’",
    ["anna@example.com", "luca@example.com", "zia@example.com"],
  ],
  ["anna@example.com, ANNA@example.com", ["anna@example.com"]],
  ["o'brien+family@example.co.uk", ["o'brien+family@example.co.uk"]],
  ["mailto:anna+family@example.com?cc=zia+b@example.com", ["anna+family@example.com", "zia+b@example.com"]],
  ["anna @ example.com; luca@ example.com", ["anna@example.com", "luca@example.com"]],
  ["", []],
  [" ,; \n", []],
])("all addresses in %j are read", (text, addresses) => {
  expect(typedAddresses(text)).toEqual({ addresses, invalid: [] });
});

test.each([
  ["bob", [], ["bob"]],
  ["anna@exa mple.org, zia@example.org", ["zia@example.org"], ["anna@exa mple.org"]],
  ["anna at @ example.org", [], ["anna at @ example.org"]],
  [
    "anna@example..org; luca@.example.org; zia@example.org",
    ["zia@example.org"],
    ["anna@example..org", "luca@.example.org"],
  ],
  ["bob, anna@example.com", ["anna@example.com"], ["bob"]],
  ["anna@example.com; luca@; @example.com; zia@home", ["anna@example.com"], ["luca@", "@example.com", "zia@home"]],
  [
    "anna@example.com\nluca.example.com\nzia@example.com",
    ["anna@example.com", "zia@example.com"],
    ["luca.example.com"],
  ],
  ["a@b@example.com, anna@example.com", ["anna@example.com"], ["a@b@example.com"]],
  ["Anna <anna@example>, Luca <luca@example.com>", ["luca@example.com"], ["anna@example"]],
  ["Luca\nAnna <anna@example.com>", ["anna@example.com"], ["Luca"]],
  ['"anna@example.com, luca@', ["anna@example.com"], ["luca@"]],
])("of %j the good addresses are taken, and each bad one is named", (text, addresses, invalid) => {
  expect(typedAddresses(text)).toEqual({ addresses, invalid });
});
