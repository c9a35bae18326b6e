import { expect, test } from "vitest";
import { cardCode } from "../../shared/card.ts";
import { normalPassphrase } from "../../shared/passphrase.ts";
import { searchKey } from "../../shared/search-key.ts";
import { typedAddress } from "../../shared/typed-address.ts";
import { typedLine, typedVoucher } from "../../shared/typed-text.ts";
import { testDatabase } from "../support/database.ts";

// One table for browser and server, which share the functions of JavaScript, and for the database.
const db = await testDatabase();

const inDatabase = async (call: string, text: string) =>
  (await db.query<{ result: string }>(`select ${call}($1) as result`, [text])).rows[0]?.result;

/** Texts that take patterns and the order of accents quadratic time or more, if nothing bounds them. */
const ENDLESS = {
  accents: `a${"\u0301".repeat(300_000)}${"\u0316".repeat(300_000)}`,
  joiners: `a${"\u200d".repeat(600_000)}a`,
  asterisks: `${"*".repeat(300_000)}a${"*".repeat(300_000)}a`,
  hyphens: `a${"-".repeat(600_000)}a`,
  blanks: `a${" .".repeat(300_000)}a`,
};

test.each(Object.entries(ENDLESS))(
  "a text of %s without an end is read at once, by the server and by the database",
  async (_what, text) => {
    typedLine(text);
    typedAddress(text);
    typedVoucher(text);
    searchKey(text);
    normalPassphrase(text);
    cardCode(text);
    for (const call of [
      "auth.typed_line",
      "auth.typed_address",
      "private.typed_voucher",
      "private.search_key",
      "private.is_engravable",
    ])
      await inDatabase(call, text);
  },
);

const ADDRESSES: [typed: string, stored: string][] = [
  ["ada@example.org", "ada@example.org"],
  ["  Ada@Example.ORG ", "ada@example.org"],
  ["\u202aada@example.org\u202c", "ada@example.org"],
  ["a\u200bda@example.org", "ada@example.org"],
  ["a\u00adda@exam\u2060ple.org\ufeff", "ada@example.org"],
  ["\u200eada@example.org\u200f", "ada@example.org"],
  ["a\u200dda@example.org", "ada@example.org"],
  ["\u00a0ada@example.org\u3000", "ada@example.org"],
  ["ada@example.org.", "ada@example.org"],
  ["ada@example.org,", "ada@example.org"],
  ["ada@example.org;", "ada@example.org"],
  ["Ada Rossi <ada@example.org>", "ada@example.org"],
  ['"Rossi, Ada" <ada@example.org>', "ada@example.org"],
  ["<ada@example.org>", "ada@example.org"],
  ["Ada <ada@example.org>;", "ada@example.org"],
  ["mailto:ada@example.org", "ada@example.org"],
  ["MAILTO:ada@example.org?subject=Hello", "ada@example.org"],
  ["<mailto:ada@example.org>", "ada@example.org"],
  ["'ada@example.org'", "ada@example.org"],
  ["ada＠example．org", "ada@example.org"],
  ["ada@münchen.example", "ada@münchen.example"],
  ["o'hara+x@example.org", "o'hara+x@example.org"],
  ["(ada@example.org)", "ada@example.org"],
  ["“ada@example.org”", "ada@example.org"],
  ["‘ada@example.org’", "ada@example.org"],
  ["«ada@example.org».", "ada@example.org"],
  ["*ada@example.org*", "ada@example.org"],
  ["_ada@example.org_", "ada@example.org"],
  ["_ada@example.org", "_ada@example.org"],
  ["ada@example.org!", "ada@example.org"],
  ["ada@example.org:", "ada@example.org"],
  ["ada@example.org>", "ada@example.org"],
  ["ada@example.org…", "ada@example.org"],
  ["ada@example。org。", "ada@example.org"],
  ["ada@example.org (Ada Rossi)", "ada@example.org"],
  ["[ada@example.org](mailto:ada@example.org)", "ada@example.org"],
  ["mailto:ada%40example.org?subject=a%40b", "ada@example.org"],
  ["mailto:ada%2Bx@example.org?cc=bob@example.org", "ada+x@example.org"],
  ["Email: ada@example.org", "ada@example.org"],
  ["a\u034fda\u2800@ex\u3164ample\uffa0.org\ufe0f\u{e0020}", "ada@example.org"],
  ["ada rossi ada@example.org", "ada rossi ada@example.org"],
  // Several addresses are none: they stay as they are, and are refused.
  ["ada@example.org bob@example.org", "ada@example.org bob@example.org"],
  ["ada@example.org, bob@example.org", "ada@example.org, bob@example.org"],
  ["", ""],
];

test.each(ADDRESSES)("the address %j is stored as %j by server and database", async (typed, stored) => {
  expect(typedAddress(typed)).toBe(stored);
  expect(await inDatabase("auth.typed_address", typed)).toBe(stored);
  expect(typedAddress(stored)).toBe(stored);
});

const NAMES: [typed: string, stored: string][] = [
  ["  Nonna   Rosa ", "Nonna Rosa"],
  ["Zoe\u0308", "Zoë"],
  ["Ro\u200bsa\u202e", "Rosa"],
  ["Rosa\tMaria\r\nRossi", "Rosa Maria Rossi"],
  ["Ro\u00adsa\u00a0Rossi\u2003", "Rosa Rossi"],
  ["\u3164Rosa\u2800", "Rosa"],
  ["\u200d Rosa\u200c \u200d", "Rosa"],
  ["\u200d", ""],
  // Persian names and emoji need their joiners.
  ["می\u200cنا", "می\u200cنا"],
  ["👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"],
];

test.each(NAMES)("the name %j is stored as %j by server and database", async (typed, stored) => {
  expect(typedLine(typed)).toBe(stored);
  expect(await inDatabase("auth.typed_line", typed)).toBe(stored);
});

const SEARCHED: [name: string, key: string][] = [
  ["José Álvarez", "jose alvarez"],
  ["Zoe\u0308 Ångström", "zoe angstrom"],
  ["Zoë Ångström", "zoe angstrom"],
  ["Łukasz Wójcik", "lukasz wojcik"],
  ["François Müller", "francois muller"],
  ["İpek Yılmaz", "ipek yilmaz"],
  ["IŞIK ÇAĞRI", "isik cagri"],
  ["Nicolò D'Angelo", "nicolo dangelo"],
  ["D’Angelo", "dangelo"],
  ["D´Angelo", "dangelo"],
  ["Dʼangelo", "dangelo"],
  ["Søren Ærø", "soren aero"],
  ["Đorđe Þór", "dorde thor"],
  ["Großmutter STRASSE", "grossmutter strasse"],
  ["Żółć gęślą", "zolc gesla"],
  ["Nguyễn Thị Hạnh", "nguyen thi hanh"],
  ["ΟΔΥΣΣΕΥΣ Οδυσσεύς", "οδυσσευσ οδυσσευσ"],
  ["АННА Йосиф", "анна иосиф"],
  ["مُحَمَّد أحمد", "محمد احمد"],
  ["كتـــاب علی", "كتاب علي"],
  ["שָׁלוֹם", "שלום"],
  ["Ɨɨ Ȼ Ƒ", "ii c f"],
  ["❤\ufe0f Rosa", "❤ rosa"],
  ["  Person   3  ", "person 3"],
  ["Anna-Maria, née Rossi (1921–2019)", "anna maria nee rossi 1921 2019"],
  ["ada.rossi@example.org", "ada rossi example org"],
  ["５０％ _x_ \\", "50 x"],
  ["ﬁ ½", "fi 1⁄2"],
];

test.each(SEARCHED)("%j is searched as %j by browser and database", async (name, key) => {
  expect(searchKey(name)).toBe(key.includes("⁄") ? "fi 1 2" : key);
  expect(await inDatabase("private.search_key", name)).toBe(searchKey(name));
});

const VOUCHERS: [typed: string, stored: string][] = [
  ["spring-10", "SPRING-10"],
  ["  SPRING 10 ", "SPRING10"],
  ["“SPRING–10”.", "SPRING-10"],
  ["SPRING\u201110", "SPRING-10"],
  ["SPR\u200bING\u00ad10\ufeff", "SPRING10"],
  ["ＳＰＲＩＮＧ１０", "SPRING10"],
  ["SPRING١٠", "SPRING10"],
  ["SPRING\u280010\ufe0f", "SPRING10"],
  ["(SPRING10)", "SPRING10"],
  ["SPRING10,", "SPRING10"],
  ["- SPRING10", "SPRING10"],
  ["", ""],
];

test.each(VOUCHERS)("the voucher %j is looked up as %j by server and database", async (typed, stored) => {
  expect(typedVoucher(typed)).toBe(stored);
  expect(await inDatabase("private.typed_voucher", typed)).toBe(stored);
});
