import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/**
 * Requests, each with a wrong and a right name. The compiler does not check columns in filters and orders:
 * `tests/policies/statements-of-code.test.ts` does.
 */
const REQUESTS: Record<string, (name: string) => string> = {
  "memoriez or memories": (table) => `client.from("${table}");`,
  "person_nam or person_name": (read) => `(await client.from("memories").select("id,${read}")).data?.at(0)?.${read};`,
  "albumz or albums": (joined) =>
    `(await client.from("memories").select("id,${joined}(name)")).data?.at(0)?.${joined}?.name;`,
  "person_naem or person_name": (added) => `client.from("memories").insert({ ${added}: "Ada" });`,
  "describtion or description": (changed) => `client.from("memories").update({ ${changed}: "Ada" });`,
  "birthday or event": (value) => `client.from("memories").update({ kind: "${value}" });`,
  "has_pin, which is computed, or moderated": (changed) => `client.from("share_links").update({ ${changed}: true });`,
  "memory_rightz or memory_rights": (called) => `client.rpc("${called}", { memory_id: "" });`,
  "memory or memory_id": (argument) => `client.rpc("memory_rights", { ${argument}: "" });`,
  "keeps or manage": (result) => `(await client.rpc("memory_rights", { memory_id: "" })).data?.${result};`,
};

test("a misspelt table, column, function or argument does not compile", () => {
  const lines = Object.entries(REQUESTS).flatMap(([names, line]) => names.match(/^\w+|\w+$/g)?.map(line) ?? []);
  expect(faultyIn(lines)).toEqual(lines.filter((_, index) => index % 2 === 0));
});

/** Returns those of the lines that do not compile with a `client` of this database. */
function faultyIn(lines: string[]): string[] {
  const file = join(import.meta.dirname, "misspelt.ts");
  const head = 'import type { SupabaseClient } from "./database-client.ts"; declare const client: SupabaseClient;';
  const text = [head, ...lines].join("\n");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    noUncheckedIndexedAccess: true,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023) : read(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const faults = program.getSemanticDiagnostics(program.getSourceFile(file));
  const faulty = faults.map(({ start = 0 }) => text.slice(0, start).split("\n").length - 2);
  return lines.filter((_, index) => faulty.includes(index));
}
