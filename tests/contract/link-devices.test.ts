import { beforeEach, describe, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { emptyDatabase } from "../support/database.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, setPin } from "../support/sharing.ts";

const server = await testServer({ TRUST_PROXY: "127.0.0.1" });
const { db } = server;

const FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0";

let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  await db.exec("delete from private.share_attempts");
  ada = await ownerOf(server, "Grandmother");
  await setPin(server, ada, "0417");
});

/** A browser: it keeps cookies, but only in memory, and sends them as browsers do to functions. */
function browser(address = "203.0.113.1") {
  const cookies = new Map<string, string>();
  async function call(name: string, body: object, bearer?: unknown) {
    const response = await fetch(`${server.url}/functions/v1/${name}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": FIREFOX,
        "sec-fetch-site": "same-origin",
        "x-forwarded-for": address,
        cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      },
      body: JSON.stringify(body),
    });
    const written = response.headers.getSetCookie();
    for (const cookie of written) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (!cookie.includes("Path=/functions/v1;")) continue;
      if (value === "" || cookie.includes("Max-Age=0")) cookies.delete(key);
      else cookies.set(key, value);
    }
    const json = (await response.json()) as Record<string, unknown>;
    return { status: response.status, code: json.code, triesLeft: json.triesLeft, token: json.token, written };
  }
  return {
    open: (more: object = {}, bearer?: unknown) => call("open-share", { shareId: ada.shareId, ...more }, bearer),
    forget: (body: object, bearer?: unknown) => call("forget-device", body, bearer),
    cookies,
  };
}

const sees = async (token: unknown) => {
  const claims = JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString());
  return asCaller(db, claims, async (tx) => (await tx.query("select id from memories")).rows.length);
};

const devices = async (owner: Owner) =>
  (await server.client(owner.token).from("link_devices").select("id, name").throwOnError()).data ?? [];
const remove = (owner: Owner, id: unknown) =>
  server.client(owner.token).from("link_devices").delete().eq("id", id).select("id").throwOnError();

describe("a device in which the PIN was entered", () => {
  test("opens the link without it in a new tab, until the PIN or the address changes", async () => {
    const phone = browser();
    expect(await phone.open()).toMatchObject({ status: 401, code: "pin_required" });
    expect((await phone.open({ pin: "0417" })).status).toBe(200);
    const again = await phone.open();
    expect(again.status).toBe(200);
    expect(await sees(again.token)).toBe(1);
    await server
      .client(ada.token)
      .from("share_links")
      .update({ rights: "comment" })
      .eq("id", ada.linkId)
      .throwOnError();
    expect((await phone.open()).status).toBe(200);
    await setPin(server, ada, "0418");
    expect(await phone.open()).toMatchObject({ status: 401, code: "pin_required" });
    expect((await phone.open({ pin: "0418" })).status).toBe(200);
    expect((await phone.open()).status).toBe(200);
    expect(await devices(ada)).toHaveLength(1);
    await server.client(ada.token).rpc("remake_link", { link_id: ada.linkId }).throwOnError();
    expect((await phone.open()).status).toBe(401);
  });

  test("is told that the link has expired or was turned off", async () => {
    const phone = browser();
    await phone.open({ pin: "0417" });
    await db.query("update share_links set expires_at = now() - interval '1 second' where id = $1", [ada.linkId]);
    expect(await phone.open()).toMatchObject({ status: 410, code: "expired" });
    await db.query("update share_links set expires_at = null, revoked_at = now() where id = $1", [ada.linkId]);
    expect(await phone.open()).toMatchObject({ status: 410, code: "revoked" });
  });

  test("keeps its key in cookies that scripts cannot read, for this link only, and the server only a hash", async () => {
    const phone = browser();
    const { written } = await phone.open({ pin: "0417" });
    expect(written).toHaveLength(2);
    for (const cookie of written) expect(cookie).toMatch(/; Max-Age=34560000; Path=\/\S+; HttpOnly; SameSite=Lax$/);
    expect(written.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])).toEqual([
      "/functions/v1",
      `/shared/${ada.shareId}`,
    ]);
    const [key = ""] = phone.cookies.values();
    const { rows } = await db.query<{ all: string }>(
      "select string_agg(d::text || k::text, ' ') as all from link_devices d, private.link_device_keys k",
    );
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(rows[0]?.all).not.toContain(key);
  });

  test("is not another link's device, and a link without a secret has none", async () => {
    const phone = browser();
    await phone.open({ pin: "0417" });
    const bob = await ownerOf(server, "Grandfather");
    expect((await phone.open({ shareId: bob.shareId })).written).toEqual([]);
    await setPin(server, bob, "0417");
    const [key = ""] = phone.cookies.values();
    phone.cookies.set(`skies-device-${bob.shareId}`, key);
    expect((await phone.open({ shareId: bob.shareId })).status).toBe(401);
  });
});

test("a browser with many links keeps the last hundred, because it sends all of their keys", async () => {
  const phone = browser();
  for (let index = 0; index < 120; index++) phone.cookies.set(`skies-device-${index}`, "k".repeat(43));
  expect((await phone.open({ pin: "0417" })).status).toBe(200);
  expect(phone.cookies.size).toBe(100);
  expect(phone.cookies.has("skies-device-20")).toBe(false);
  expect(phone.cookies.has("skies-device-21")).toBe(true);
  expect((await phone.open()).status).toBe(200);
});

describe("a device that a manager removes", () => {
  test("must enter the PIN again at once: its tokens end, and cannot be renewed", async () => {
    const [phone, laptop] = [browser(), browser()];
    const { token } = await phone.open({ pin: "0417" });
    const other = (await laptop.open({ pin: "0417" })).token;
    const [{ id } = { id: "" }] = await devices(ada);
    const claims = JSON.parse(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString());
    expect((await remove(ada, claims.share.device)).data).toHaveLength(1);
    expect(id).not.toBe("");
    expect([await sees(token), await sees(other)]).toEqual([0, 1]);
    for (const attempt of [
      phone.open(),
      phone.open({ held: token }),
      phone.open({}, token),
      browser().open({ held: token }),
    ])
      expect(await attempt).toMatchObject({ status: 401, code: "pin_required" });
    expect((await laptop.open({ held: other })).status).toBe(200);
    // Open pages learn of it by the row that they watch.
    const { rows } = await db.query("select devices_removed from link_versions where link_id = $1", [ada.linkId]);
    expect(rows).toEqual([{ devices_removed: 1 }]);
    expect((await phone.open({ pin: "0417" })).status).toBe(200);
  });

  test("is listed for managers only, with the browser and no more", async () => {
    await browser().open({ pin: "0417" });
    const bob = await ownerOf(server, "Grandfather");
    const [device] = await devices(ada);
    expect(device).toEqual({ id: expect.any(String), name: "Firefox, Android" });
    expect(await devices(bob)).toEqual([]);
    expect((await remove(bob, device?.id)).data).toEqual([]);
    const visitor = server.client(String((await browser().open({ pin: "0417" })).token));
    expect((await visitor.from("link_devices").select("id")).error).toMatchObject({ code: "42501" });
    const { rows } = await db.query<{ column_name: string }>(
      "select column_name from information_schema.columns where table_name = 'link_devices' order by 1",
    );
    expect(rows.map(({ column_name }) => column_name)).toEqual([
      "admitted_version",
      "first_seen",
      "id",
      "last_seen",
      "link_id",
      "name",
    ]);
  });

  test("without cookies is still listed, and its token removed", async () => {
    const phone = browser();
    const { token } = await phone.open({ pin: "0417" });
    phone.cookies.clear();
    const renewed = await phone.open({ held: token });
    expect(renewed.status).toBe(200);
    expect(await devices(ada)).toHaveLength(1);
    await remove(ada, (await devices(ada))[0]?.id);
    expect(await sees(renewed.token)).toBe(0);
  });
});

describe("a device that forgets", () => {
  test("one link or all of them is out, and leaves no row", async () => {
    for (const body of [{ shareId: ada.shareId }, {}]) {
      const phone = browser();
      const { token } = await phone.open({ pin: "0417" });
      expect((await phone.forget(body)).status).toBe(200);
      expect(phone.cookies.size).toBe(0);
      expect(await devices(ada)).toEqual([]);
      expect(await sees(token)).toBe(0);
      expect((await phone.open()).status).toBe(401);
    }
  });

  test("with blocked cookies ends by its token", async () => {
    const phone = browser();
    const { token } = await phone.open({ pin: "0417" });
    phone.cookies.clear();
    await phone.forget({ shareId: ada.shareId }, token);
    expect(await sees(token)).toBe(0);
  });
});

describe("a family's device", () => {
  const strangers = async (shareId: string, address: string) => {
    const stranger = browser(address);
    for (let n = 0; n < 6; n++) await stranger.open({ shareId, pin: "9999" });
    return stranger;
  };

  test("is not locked out by strangers at the link or in the same network", async () => {
    const phone = browser();
    await phone.open({ pin: "0417" });
    await setPin(server, ada, "0418");
    expect((await (await strangers(ada.shareId, "203.0.113.9")).open({ pin: "0418" })).status).toBe(429);
    for (let n = 0; n < 21; n++) await browser().open({ shareId: `unknown${n}`, pin: "0000" });
    expect(await browser().open({ pin: "0418" })).toMatchObject({ status: 429, code: "locked" });
    expect(await phone.open({ pin: "0000" })).toMatchObject({ status: 401, code: "pin_wrong", triesLeft: 4 });
    expect((await phone.open({ pin: "0418" })).status).toBe(200);
  });

  test("has five attempts, all devices of a link have ten, and then they count like strangers", async () => {
    const phones = await Promise.all(Array.from({ length: 4 }, async () => browser()));
    for (const phone of phones) await phone.open({ pin: "0417" });
    await setPin(server, ada, "0418");
    await strangers(ada.shareId, "203.0.113.9");
    const statuses = [];
    for (const phone of phones)
      for (let n = 0; n < 6; n++) statuses.push((await phone.open({ pin: `${2000 + n}` })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.slice(0, 6)).toEqual([401, 401, 401, 401, 401, 429]);
    await setPin(server, ada, "0419");
    expect((await phones[0]?.open({ pin: "0419" }))?.status).toBe(200);
  });

  test("that was removed counts like a stranger's", async () => {
    const phone = browser();
    await phone.open({ pin: "0417" });
    await remove(ada, (await devices(ada))[0]?.id);
    await strangers(ada.shareId, "203.0.113.9");
    expect((await phone.open({ pin: "0417" })).status).toBe(429);
  });
});
