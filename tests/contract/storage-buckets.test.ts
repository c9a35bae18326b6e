import { beforeEach, describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/database.ts";
import { keepSweeping } from "../support/jobs.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer();
keepSweeping(server);
const { db } = server;
const service = server.service().storage;

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.query("delete from storage.buckets where id <> 'media'");
  ada = await ownerOf(server, "Nonna Rosa");
});

describe("buckets", () => {
  test("can be created, changed, listed, emptied and deleted by the service", async () => {
    const made = await service.createBucket("papers", {
      public: false,
      fileSizeLimit: "1MB",
      allowedMimeTypes: ['image/"odd"', "application/pdf"],
    });
    expect(made).toEqual({ data: { name: "papers" }, error: null });
    expect((await service.getBucket("papers")).data).toMatchObject({
      id: "papers",
      file_size_limit: 1_000_000,
      allowed_mime_types: ['image/"odd"', "application/pdf"],
    });
    expect((await service.createBucket("papers")).error).toMatchObject({ status: 409 });
    const tables = await service.createBucket("tables", { public: false, type: "ANALYTICS" });
    expect(tables.error).toMatchObject({ status: 400, message: expect.stringContaining("buckets of files only") });
    await service.updateBucket("papers", { public: false, fileSizeLimit: null, allowedMimeTypes: null });
    expect((await service.listBuckets()).data?.map(({ id, file_size_limit }) => [id, file_size_limit])).toEqual([
      ["media", 2_147_483_648],
      ["papers", null],
    ]);
    await service.from("papers").upload("a.txt", Buffer.from("words"));
    expect((await service.deleteBucket("papers")).error).toMatchObject({ status: 409 });
    expect((await service.emptyBucket("papers")).error).toBeNull();
    expect((await service.deleteBucket("papers")).error).toBeNull();
    expect((await service.getBucket("papers")).error).toMatchObject({ status: 404, message: "Bucket not found" });
  });

  test.each([
    ["a visitor", async () => server.client()],
    ["someone signed in", async () => server.client((await ownerOf(server, "Another")).token)],
  ])("are hidden from %s", async (_who, client) => {
    const { storage } = await client();
    expect((await storage.listBuckets()).data).toEqual([]);
    expect((await storage.getBucket("media")).error).toMatchObject({ status: 404 });
    expect((await storage.createBucket("mine")).error).toMatchObject({ status: 403 });
    expect((await storage.updateBucket("media", { public: true })).error).toMatchObject({ status: 404 });
    expect((await storage.deleteBucket("media")).error).toMatchObject({ status: 404 });
    await server
      .client(ada.token)
      .storage.from("media")
      .upload(freshName(ada.memoryId), await jpeg());
    expect((await storage.emptyBucket("media")).error).toMatchObject({ status: 404, message: "Bucket not found" });
    // Deleted photos stay in storage until the trash is emptied, so the owner's list tells.
    expect((await server.client(ada.token).from("media").select("id")).data).toHaveLength(1);
  });

  test.each([
    ["nothing", {}, {}],
    ["publicity", { public: true }, { public: true }],
    ["no publicity", { public: null }, {}],
    ["the limit", { file_size_limit: "2MB" }, { file_size_limit: 2_000_000 }],
    ["the limit's removal", { file_size_limit: null }, { file_size_limit: null }],
    ["a limit of nothing", { file_size_limit: 0 }, { file_size_limit: 0 }],
    ["the types", { allowed_mime_types: ["a/b", 'c"\\{,}'] }, { allowed_mime_types: ["a/b", 'c"\\{,}'] }],
    ["the types' removal", { allowed_mime_types: null }, { allowed_mime_types: null }],
    ["no types", { allowed_mime_types: [] }, { allowed_mime_types: [] }],
  ])("keep what an update with %s does not contain", async (_what, sent, changes) => {
    const before = { public: false, file_size_limit: 1_000_000, allowed_mime_types: ["image/jpeg"] };
    await service.createBucket("papers", { public: false, fileSizeLimit: "1MB", allowedMimeTypes: ["image/jpeg"] });
    const reply = await fetch(`${server.url}/storage/v1/bucket/papers`, {
      method: "PUT",
      headers: { authorization: `Bearer ${server.keys.secret}`, "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    expect(reply.status).toBe(200);
    expect((await service.getBucket("papers")).data).toMatchObject({ id: "papers", ...before, ...changes });
  });

  test("keep their limits when the client changes only who may read them", async () => {
    const { data: before } = await service.getBucket("media");
    expect((await service.updateBucket("media", { public: false })).error).toBeNull();
    const { data: after } = await service.getBucket("media");
    expect(after).toEqual({ ...before, updated_at: after?.updated_at });
    expect(after?.file_size_limit).toBe(2 * 1024 ** 3);
  });

  test("cannot be emptied by the person whose photos they contain, who may delete each of them", async () => {
    const { storage } = server.client(ada.token);
    const name = freshName(ada.memoryId);
    await storage.from("media").upload(name, await jpeg());
    expect((await storage.emptyBucket("media")).error).toMatchObject({ status: 404, message: "Bucket not found" });
    expect((await storage.from("media").exists(name)).data).toBe(true);
    expect((await storage.from("media").remove([name])).data).toHaveLength(1);
  });

  test.each(["..", "a/b", "", "x".repeat(200)])("cannot be named %j", async (name) => {
    expect((await service.createBucket(name)).error).toMatchObject({ status: 400 });
  });
});

describe("objects", () => {
  beforeEach(async () => {
    await service.createBucket("papers");
    for (const name of [
      "b.txt",
      "a.txt",
      "letters/one.txt",
      "letters/two.txt",
      "letters/old/three.txt",
      "100%/x.txt",
    ]) {
      await service.from("papers").upload(name.replace("%", "_"), Buffer.from(name));
    }
  });
  const papers = service.from("papers");
  const names = async (prefix?: string, options = {}) =>
    (await papers.list(prefix, options)).data?.map(({ name, id }) => (id ? name : `${name}/`));

  test("are listed a folder at a time", async () => {
    expect(await names()).toEqual(["100_/", "a.txt", "b.txt", "letters/"]);
    expect(await names("letters")).toEqual(["old/", "one.txt", "two.txt"]);
    expect(await names("letters/")).toEqual(["old/", "one.txt", "two.txt"]);
    expect(await names("letters", { limit: 1, offset: 1 })).toEqual(["one.txt"]);
    expect(await names("letters", { sortBy: { column: "name", order: "desc" } })).toEqual([
      "two.txt",
      "one.txt",
      "old/",
    ]);
    expect(await names("letters", { search: "t" })).toEqual(["two.txt"]);
    expect(await names("1__")).toEqual([]);
    expect((await papers.list("", { sortBy: { column: "name; drop table x", order: "asc" } })).error).toMatchObject({
      status: 400,
    });
  });

  test("are listed only to people who may see them", async () => {
    await server
      .client(ada.token)
      .storage.from("media")
      .upload(freshName(ada.memoryId), await jpeg());
    const bob = await ownerOf(server, "Another");
    expect((await server.client(ada.token).storage.from("media").list(ada.memoryId)).data).toHaveLength(1);
    expect((await server.client(bob.token).storage.from("media").list(ada.memoryId)).data).toEqual([]);
  });

  const textOf = async (bucket: string, name: string) => (await service.from(bucket).download(name)).data?.text();

  test("can be moved and copied, also to another bucket", async () => {
    await service.createBucket("attic");
    expect((await papers.move("a.txt", "letters/a.txt")).data).toEqual({ message: "Successfully moved" });
    expect(await textOf("papers", "letters/a.txt")).toBe("a.txt");
    await papers.move("letters/a.txt", "a.txt", { destinationBucket: "attic" });
    expect(await textOf("attic", "a.txt")).toBe("a.txt");
    expect((await papers.exists("letters/a.txt")).data).toBe(false);
    expect((await papers.copy("b.txt", "c.txt", { destinationBucket: "attic" })).data).toEqual({ path: "attic/c.txt" });
    expect(await textOf("attic", "c.txt")).toBe("b.txt");
    expect(await textOf("papers", "b.txt")).toBe("b.txt");
    expect((await papers.copy("letters/one.txt", "b.txt")).error).toMatchObject({ status: 409 });
    expect((await papers.move("letters/one.txt", "b.txt")).error).toMatchObject({ status: 409 });
    expect((await papers.move("none.txt", "d.txt")).error).toMatchObject({ status: 404 });
  });

  test("are replaced on request, and their old bytes are deleted", async () => {
    expect((await papers.upload("a.txt", Buffer.from("new"), { upsert: true })).error).toBeNull();
    expect(await textOf("papers", "a.txt")).toBe("new");
    expect((await papers.update("a.txt", Buffer.from("newer"))).error).toBeNull();
    expect(await textOf("papers", "a.txt")).toBe("newer");
    expect((await papers.update("none.txt", Buffer.from("x"))).error).toMatchObject({ status: 404 });
    await expect.poll(async () => (await db.query("select from storage.discarded")).rows.length).toBe(0);
  });

  test("cannot be moved, copied or replaced against a policy", async () => {
    const name = freshName(ada.memoryId);
    const mediaOf = (token: string) => server.client(token).storage.from("media");
    await mediaOf(ada.token).upload(name, await jpeg());
    const visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
    for (const change of ["move", "copy"] as const) {
      const { error } = await mediaOf(visitor)[change](name, freshName(ada.memoryId));
      expect(error).toMatchObject({ status: 403 });
    }
    expect((await mediaOf(ada.token).upload(name, await jpeg(), { upsert: true })).error).not.toBeNull();
    expect((await mediaOf(ada.token).copy(name, freshName(ada.memoryId))).error).toBeNull();
  });
});

describe("a part of the protocol that the server does not offer is refused as such", () => {
  const refused = { statusCode: "400", error: "not_supported", message: expect.stringMatching(/^This server .*\.$/) };
  const call = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${server.url}/storage/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${ada.token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body }),
    });
    return { status: response.status, body: await response.json() };
  };

  test("signed upload URLs, listV2, vectors, analytics and the S3 protocol", async () => {
    const files = server.client(ada.token).storage.from("media");
    const name = freshName(ada.memoryId);
    expect((await files.createSignedUploadUrl(name)).error).toMatchObject({ status: 400, message: refused.message });
    expect((await files.uploadToSignedUrl(name, "token", await jpeg())).error).toMatchObject({ status: 400 });
    expect((await files.listV2({})).error).toMatchObject({ status: 400, message: refused.message });
    for (const [method, path] of [
      ["POST", `object/upload/sign/media/${name}`],
      ["PUT", `object/upload/sign/media/${name}?token=x`],
      ["POST", "upload/resumable/sign"],
      ["POST", "object/list-v2/media"],
      ["POST", "vector/ListVectorBuckets"],
      ["GET", "iceberg/bucket"],
      ["GET", "s3/media"],
      ["DELETE", "cdn/media/x"],
    ] as const) {
      expect(await call(method, path, method === "POST" ? "{}" : undefined)).toEqual({ status: 400, body: refused });
    }
  });

  test("the URL of a public bucket, the same for every name", async () => {
    await service.createBucket("papers", { public: true });
    await service.from("papers").upload("a.txt", Buffer.from("words"));
    for (const path of ["papers/a.txt", "papers/none.txt", "none/a.txt"]) {
      for (const kind of ["object", "render/image"]) {
        expect(await call("GET", `${kind}/public/${path}?width=320`)).toEqual({
          status: 404,
          body: { statusCode: "404", error: "not_supported", message: expect.stringContaining("not public") },
        });
      }
    }
  });
});
