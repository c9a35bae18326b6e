import { expect, test } from "vitest";
import type { Database } from "../../database/database.ts";
import { watchSessions } from "./sessions.ts";

const [EARLIER, LATER] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

test("a session that is followed while others are checked is not taken for an ended one", async () => {
  const answers: (() => void)[] = [];
  const read = (_text: string, [ids]: [string[]]) =>
    new Promise((resolve) => {
      const rows = ids.map((id) => ({ id, aal: "aal1", email: "", phone: "", app_metadata: {} }));
      answers.push(() => resolve({ rows }));
    });
  const sessions = watchSessions({ read } as unknown as Database);
  const ended: string[] = [];
  const follow = (id: string) =>
    sessions.follow({ role: "authenticated", session_id: id }, { ended: () => ended.push(id), changed: () => {} });

  follow(EARLIER);
  const check = sessions.check();
  follow(LATER);
  answers[0]?.();
  await check;
  expect(ended).toEqual([]);
});
