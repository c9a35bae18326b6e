import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { JSON_RESULTS, RESULT_COLUMNS } from "../../db/generate/catalogue-overrides.ts";
import { asCaller, type Caller, SERVICE } from "../../server/database/as-caller.ts";
import { fillEveryTable } from "../support/baseline.ts";
import { testDatabase } from "../support/database.ts";

const root = new URL("../..", import.meta.url).pathname;
const db = await testDatabase();
const world = await fillEveryTable(db);
const { rows: uploadLinks } = await db.query<{ id: string }>(
  "insert into share_links (memory_id, rights, shared_at) values ($1, 'upload', now()) returning id",
  [world.memoryId],
);

/** A call of each function whose result type is not in the catalogue, as a caller who gets a result. */
function calls(): [name: string, caller: Caller, sql: string][] {
  const { owner } = world.callers;
  const { memoryId, storyId, people, deletedAlbumId, linkId } = world;
  return [
    ["memory_rights", owner, `memory_rights('${memoryId}')`],
    ["memory_rights", world.callers.viewer, `memory_rights('${memoryId}')`],
    ["memory_rights", world.callers.nobody, `memory_rights('${memoryId}')`],
    ["apply_voucher", owner, "apply_voucher('SPRING')"],
    ["apply_voucher", owner, "apply_voucher('NOTHING')"],
    ["upload_occasion", { role: "anon", share: { link: uploadLinks[0]?.id, version: 1 } }, "upload_occasion()"],
    ["storage_use", owner, "storage_use()"],
    ["storage_stats", owner, "storage_stats()"],
    ["grant_plan", SERVICE, `grant_plan('${world.bob}@example.com', 'skies-memories')`],
    ["desk_file_failures", SERVICE, "desk_file_failures()"],
    ["desk_read_back", SERVICE, "desk_read_back()"],
    ["desk_figures", SERVICE, "desk_figures()"],
    ["desk_inbox", SERVICE, "desk_inbox()"],
    ["desk_inbox_item", SERVICE, `desk_inbox_item('${world.reportId}')`],
    ["desk_inbox_item", SERVICE, "desk_inbox_item((select id from contact_messages limit 1))"],
    ["desk_outbox", SERVICE, "desk_outbox('waiting')"],
    ["desk_queues", SERVICE, "desk_queues()"],
    ["desk_system", SERVICE, "desk_system()"],
    ["desk_people", SERVICE, "desk_people()"],
    ["desk_person", SERVICE, `desk_person('${world.ada}')`],
    [
      "end_granted_plan",
      SERVICE,
      `end_granted_plan((select id from user_subscriptions where user_id = '${world.ada}'), 'Over')`,
    ],
    ["record_payout", SERVICE, `record_payout('${world.ada}@example.com', 1, 'GBP')`],
    ["my_affiliate_balances", owner, "my_affiliate_balances()"],
    ["payable_affiliates", SERVICE, "payable_affiliates()"],
    ["my_sessions", { ...owner, session_id: linkId }, "my_sessions()"],
    ["memory_people", owner, `memory_people('${memoryId}')`],
    ["photo_outline", owner, `photo_outline('${memoryId}')`],
    ["link_openings", owner, `link_openings('${linkId}')`],
    ["recent_activity", owner, "recent_activity()"],
    ["search", owner, "search('remember')"],
    ["deleted_items", owner, "deleted_items()"],
    ["moderate", owner, `moderate('[{"kind": "story", "id": "${storyId}"}]', 'hidden')`],
    ["moderation_queue", owner, `moderation_queue('${memoryId}', 'hidden')`],
    ["save_day_reply", owner, `save_day_reply('${memoryId}', 'no', '{Ada}')`],
    ["my_invitations", { role: "authenticated", sub: people.viewer }, "my_invitations()"],
    ["restore_deleted", owner, `restore_deleted('[{"kind": "album", "id": "${deletedAlbumId}"}]')`],
    ["block_person", owner, `block_person('${memoryId}', '${people.contributor}', null, true)`],
  ];
}

test("functions return what their types declare", async () => {
  await db.query("insert into invitations (memory_id, email, role) values ($1, $2, 'viewer')", [
    world.bobsMemoryId,
    `${world.people.viewer}@example.com`,
  ]);
  await db.query("select private.count_figures()");
  await db.query("select private.report_process($1, $2, $3)", [
    "one",
    JSON.stringify([{ name: "outbox", status: "waiting", failures: 0 }]),
    JSON.stringify({ auth: 2 }),
  ]);
  await db.query(
    "insert into private.outbox (kind, template, language, recipient) values ('mail', 'welcome', 'en', 'x@example.com')",
  );
  const lines: string[] = [];
  for (const [name, caller, sql] of calls()) {
    const isTable = name in RESULT_COLUMNS;
    const text = isTable ? `select json_agg(found) as answer from ${sql} found` : `select ${sql} as answer`;
    const { rows } = await asCaller(db, caller, (tx) => tx.query<{ answer: unknown }>(text));
    expect([name, rows[0]?.answer]).not.toEqual([name, null]);
    lines.push(`export const a${lines.length}: Returned<"${name}"> = ${JSON.stringify(rows[0]?.answer)};`);
  }
  expect(faultsIn(lines)).toEqual([]);
  expect([...new Set(calls().map(([name]) => name))].sort()).toEqual(
    [...Object.keys(JSON_RESULTS), ...Object.keys(RESULT_COLUMNS)].sort(),
  );
});

/** Returns the compiler's errors for these lines. */
function faultsIn(lines: string[]): string[] {
  const file = join(root, "shared/answers.ts");
  const text = ['import type { Returned } from "./database.ts";', ...lines].join("\n");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.es2023.d.ts"],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023) : read(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
