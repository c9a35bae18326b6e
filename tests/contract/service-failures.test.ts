import { existsSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sendRaw } from "../support/hostile-requests.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg, uploadResumably } from "../support/uploads.ts";

const server = await testServer();

let ada: Owner;
let photo: Buffer;
beforeAll(async () => {
  ada = await ownerOf(server, "Rosa");
  photo = await jpeg();
  await server
    .service()
    .rpc("grant_plan", { email: `${ada.userId}@example.com`, plan: "skies-memories" })
    .throwOnError();
  // Raises errors that the database itself raises only when it is stopped, full or slow.
  await server.db.exec(`
    create table public.failing (code text not null);
    create function public.fail() returns trigger language plpgsql security definer as $$
      declare state text := (select code from public.failing);
      begin
        if state is not null then
          raise exception 'canceling statement due to statement timeout' using errcode = state;
        end if;
        return new;
      end
    $$;
    create trigger fail before insert on memories for each row execute function public.fail();
    create trigger fail before insert on auth.users for each row execute function public.fail();
    create trigger fail before insert on storage.objects for each row execute function public.fail();
    create trigger fail before insert on reports for each row execute function public.fail();
  `);
});

const target = () => ({
  url: server.url,
  publishableKey: server.keys.publishable,
  token: ada.token,
  memory: ada.memoryId,
});
const post = (path: string, body: unknown) => sendRaw(target(), { method: "POST", path, body: JSON.stringify(body) });

const SEND = {
  rest: () => post("/rest/v1/memories", { person_name: "Rosa" }),
  auth: () => post("/auth/v1/signup", { email: "new@example.com", password: "a good password 123" }),
  storage: () =>
    sendRaw(target(), {
      method: "POST",
      path: `/storage/v1/object/media/${freshName(ada.memoryId)}`,
      headers: { "content-type": "image/jpeg" },
      body: photo,
    }),
  functions: () => post("/functions/v1/report", { kind: "memory", id: ada.memoryId, reason: "other", words: "Hm." }),
};
type Surface = keyof typeof SEND;

/** Resolves to the response of a surface while the database raises this SQLSTATE. */
async function answerTo(surface: Surface, code: string) {
  await server.db.query("insert into public.failing values ($1)", [code]);
  const { status, headers, text } = await SEND[surface]().finally(() => server.db.exec("delete from public.failing"));
  return { status, retryAfter: headers["retry-after"], body: JSON.parse(text) };
}

const said = expect.stringMatching(/^The (server|database) .+Please try again/);
const slow = "This took too long and was stopped. Please try again in a moment.";

describe("a database failure is answered with a helpful error", () => {
  test.each<[Surface, string, number, string | undefined, Record<string, unknown>]>([
    ["rest", "57014", 500, undefined, { code: "57014", message: "canceling statement due to statement timeout" }],
    ["rest", "53300", 503, "1", { code: "53300", message: said, details: null, hint: null }],
    ["rest", "53100", 507, undefined, { code: "53100", message: said }],
    ["rest", "57P01", 503, "1", { code: "57P01", message: said }],
    ["rest", "08006", 503, "1", { code: "08006", message: said }],
    ["auth", "57014", 504, undefined, { code: 504, error_code: "request_timeout", msg: slow }],
    ["auth", "53300", 503, "1", { code: 503, msg: said }],
    ["auth", "53100", 507, undefined, { code: 507, error_code: "disk_full", msg: said }],
    ["auth", "57P03", 503, "1", { code: 503, msg: said }],
    ["storage", "57014", 544, undefined, { statusCode: "544", error: "DatabaseTimeout", message: slow }],
    ["storage", "53300", 503, "1", { statusCode: "503", message: said }],
    ["storage", "53100", 507, undefined, { statusCode: "507", error: "disk_full", message: said }],
    ["storage", "08006", 503, "1", { statusCode: "503", message: said }],
    ["functions", "57014", 504, undefined, { code: "timeout", message: slow }],
    ["functions", "53300", 503, "1", { code: "busy", message: said }],
    ["functions", "53100", 507, undefined, { code: "disk_full", message: said }],
    ["functions", "57P02", 503, "1", { code: "unreachable", message: said }],
  ])("%s, SQLSTATE %s: %i", async (surface, code, status, retryAfter, body) => {
    expect(await answerTo(surface, code)).toMatchObject({ status, retryAfter, body });
  });

  test("the same requests succeed afterwards", async () => {
    for (const send of Object.values(SEND)) expect((await send()).status).toBeLessThan(300);
  });
});

// A Linux device on which every write fails because it is full.
describe.runIf(existsSync("/dev/full"))("a disk without room", () => {
  test("ends an upload with 507 and a message, and another upload succeeds once there is room", async () => {
    const name = freshName(ada.memoryId);
    const headers = { authorization: `Bearer ${ada.token}`, "tus-resumable": "1.0.0" };
    const metadata = { bucketName: "media", objectName: name, contentType: "image/jpeg" };
    const created = await fetch(`${server.url}/storage/v1/upload/resumable`, {
      method: "POST",
      headers: {
        ...headers,
        "upload-length": `${photo.length}`,
        "upload-metadata": Object.entries(metadata)
          .map(([key, value]) => `${key} ${btoa(value)}`)
          .join(","),
      },
    });
    const url = new URL(created.headers.get("location") ?? "", server.url);
    const part = join(server.files.parts, url.pathname.split("/").at(-1) ?? "");
    const send = () =>
      fetch(url, {
        method: "PATCH",
        headers: { ...headers, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
        body: new Uint8Array(photo),
      });

    await rm(part);
    await symlink("/dev/full", part);
    const refused = await send();
    expect([refused.status, await refused.text()]).toEqual([
      507,
      expect.stringMatching(/^disk_full: The server has no room left/),
    ]);

    await rm(part);
    // The upload has lost its bytes, of which there were none. Another one of the same name succeeds.
    await uploadResumably({ url: server.url, token: ada.token, name, bytes: photo });
    expect((await server.service().storage.from("media").info(name)).error).toBeNull();
  });
});
