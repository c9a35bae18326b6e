import { describe, expect, test } from "vitest";
import { asCaller, type Caller } from "../../server/database/as-caller.ts";
import { DATES, NO_DATES } from "../support/approximate-dates.ts";
import { testDatabase } from "../support/database.ts";
import { makeWorld, type World } from "../support/world.ts";

const db = await testDatabase();
const world = await makeWorld(db);

const run = (caller: Caller, text: string, values: unknown[] = []) =>
  asCaller(db, caller, async (tx) => (await tx.query<Record<string, unknown>>(text, values)).rows);
const impossible = { code: "23514" };

describe("an approximate date", () => {
  test("has the same days and the same order in the database as in the browser", async () => {
    const { rows } = await db.query<{ date: string; first: string; last: string }>(
      `select d as date, to_char(lower(private.date_span(d)), 'YYYY-MM-DD') as first,
         to_char(upper(private.date_span(d)) - case when d like '%T%' then interval '0' else interval '1 day' end, 'YYYY-MM-DD') as last
       from unnest($1::text[]) d order by private.date_order(d) collate "C"`,
      [DATES.map(([date]) => date).toReversed()],
    );
    expect(rows).toEqual(DATES.map(([date, , , first, last]) => ({ date, first, last })));
  });

  test.each(NO_DATES)("is not “%s”", async (text) => {
    await expect(db.query("select $1::approximate_time", [text])).rejects.toMatchObject(impossible);
  });

  test("of a person has no time of day", async () => {
    await expect(db.query("select '1931-03-12T10:00:00'::approximate_date")).rejects.toMatchObject(impossible);
  });
});

describe("a tribute", () => {
  const set = (birth: string | null, passing: string | null) =>
    run(world.callers.owner, "update memories set birth_date = $2, passing_date = $3 where id = $1", [
      world.memoryId,
      birth,
      passing,
    ]);

  test.each([
    ["1931", null],
    ["1931", "2019-05-04"],
    ["1931~", "1930"],
    ["1931-03", "1931"],
    ["193X", "1930-02"],
  ])("may be born %s and have died %s", async (birth, passing) => {
    await expect(set(birth, passing)).resolves.toEqual([]);
  });

  test.each([
    ["1931", "1930"],
    ["1931-03-12", "1931-02"],
    ["193X", "1929-12-31"],
    ["1931-02-29", null],
    ["1931-02-31", null],
  ])("may not be born %s and have died %s", async (birth, passing) => {
    await expect(set(birth, passing)).rejects.toMatchObject(impossible);
  });
});

describe("the date of a photo", () => {
  const set = (caller: Caller, date: string | null) =>
    run(caller, "select set_media_dates($1, $2) as id", [[world.objectId], [date]]);
  const stored = async () => {
    const { rows } = await db.query("select taken_at, taken_source from media_details where media_id = $1", [
      world.objectId,
    ]);
    return rows[0];
  };
  const reset = async () => {
    await db.query("update media set taken_at = '2024-07-14' where id = $1", [world.objectId]);
    await db.query(
      `update media_details set taken_source = 'name', file_taken_at = '2024-07-14', file_taken_source = 'name'
       where media_id = $1`,
      [world.objectId],
    );
  };

  test.each<[keyof World["callers"], boolean]>([
    ["owner", true],
    ["co-owner", true],
    ["contributor", false],
    ["viewer", false],
    ["stranger", false],
  ])("can be changed by the %s: %s", async (who, may) => {
    await reset();
    expect(await set(world.callers[who], "1962~")).toEqual(may ? [{ id: world.objectId }] : []);
    expect(await stored()).toEqual(
      may ? { taken_at: "1962~", taken_source: "person" } : { taken_at: "2024-07-14", taken_source: "name" },
    );
  });

  test("is put back by an undo only where nobody has changed it since", async () => {
    await reset();
    const undo = (who: keyof World["callers"]) =>
      run(world.callers[who], "select restore_media_dates($1, $2, $3) as id", [
        [world.objectId],
        ["2024-07-14"],
        ["1962"],
      ]);
    await set(world.callers.owner, "1962");
    expect(await undo("viewer")).toEqual([]);
    expect(await undo("owner")).toEqual([{ id: world.objectId }]);
    expect(await stored()).toEqual({ taken_at: "2024-07-14", taken_source: "name" });
    await set(world.callers.owner, "1962");
    await set(world.callers["co-owner"], "1963");
    expect(await undo("owner")).toEqual([]);
    expect(await stored()).toEqual({ taken_at: "1963", taken_source: "person" });
  });

  test("can be changed by the contributor who added it, and not by a viewer", async () => {
    await reset();
    await db.query("update media_details set user_id = $2 where media_id = $1", [
      world.objectId,
      world.people.contributor,
    ]);
    expect(await set(world.callers.contributor, "1962-22")).toHaveLength(1);
    expect(await set(world.callers.viewer, "1963")).toHaveLength(0);
    expect(await stored()).toEqual({ taken_at: "1962-22", taken_source: "person" });
  });

  test("can be changed by a guest who added it, and not by another visitor", async () => {
    await reset();
    await db.query("update media_details set guest_id = $2 where media_id = $1", [world.objectId, world.guestId]);
    expect(await set(world.callers.guest, "1962")).toHaveLength(1);
    expect(await set(world.callers.visitor, "1963")).toHaveLength(0);
    expect(await stored()).toEqual({ taken_at: "1962", taken_source: "person" });
    await db.query("update media_details set guest_id = null where media_id = $1", [world.objectId]);
  });

  test("has the file name as its source again when it is set back to that date", async () => {
    await reset();
    await set(world.callers.owner, null);
    expect(await stored()).toEqual({ taken_at: null, taken_source: "person" });
    await set(world.callers.owner, "2024-07-14");
    expect(await stored()).toEqual({ taken_at: "2024-07-14", taken_source: "name" });
  });

  test("cannot be impossible, and its source cannot be set", async () => {
    await expect(set(world.callers.owner, "1962-02-31")).rejects.toMatchObject(impossible);
    const text = "update media_details set taken_source = 'exif' where media_id = $1";
    await expect(run(world.callers.owner, text, [world.objectId])).rejects.toMatchObject({ code: "42501" });
  });
});

describe("a file's name", () => {
  test.each([
    ["IMG_20240714_160509.jpg", "2024-07-14T16:05:09"],
    ["PXL_20240714_160509123.jpg", "2024-07-14T16:05:09"],
    ["PXL_20240714_160509123.MP.jpg", "2024-07-14T16:05:09"],
    ["MVIMG_20240714_160509.jpg", "2024-07-14T16:05:09"],
    ["20240714_160509.jpg", "2024-07-14T16:05:09"],
    ["20240714_160509(0).jpg", "2024-07-14T16:05:09"],
    ["VID_20240714_160509.mp4", "2024-07-14T16:05:09"],
    ["IMG-20240714-WA0001.jpg", "2024-07-14"],
    ["VID-20240714-WA0003.mp4", "2024-07-14"],
    ["WhatsApp Image 2024-07-14 at 16.05.09.jpeg", "2024-07-14T16:05:09"],
    ["WhatsApp Image 2024-07-14 at 16.05.09 (1).jpeg", "2024-07-14T16:05:09"],
    ["WhatsApp Video 2024-07-14 at 4.05.09 PM.mp4", "2024-07-14T16:05:09"],
    ["WhatsApp Image 2024-07-14 at 12.05.09 AM.jpeg", "2024-07-14T00:05:09"],
    ["Immagine WhatsApp 2024-07-14 ore 16.05.09.jpg", "2024-07-14T16:05:09"],
    ["Screenshot_20240714-160509.png", "2024-07-14T16:05:09"],
    ["Screenshot_20240714-160509_WhatsApp.jpg", "2024-07-14T16:05:09"],
    ["Screenshot_2024-07-14-16-05-09-123_com.whatsapp.jpg", "2024-07-14T16:05:09"],
    ["Screenshot 2024-07-14 at 16.05.09.png", "2024-07-14T16:05:09"],
    ["Screenshot 2024-07-14 at 4.05.09\u202fPM.png", "2024-07-14T16:05:09"],
    ["Bildschirmfoto 2024-07-14 um 16.05.09.png", "2024-07-14T16:05:09"],
    ["Schermata 2024-07-14 alle 16.05.09.png", "2024-07-14T16:05:09"],
    ["signal-2024-07-14-160509.jpeg", "2024-07-14T16:05:09"],
    ["signal-2024-07-14-16-05-09-123.jpg", "2024-07-14T16:05:09"],
    ["signal-2024-07-14-160509_002.jpeg", "2024-07-14T16:05:09"],
    ["photo_2024-07-14_16-05-09.jpg", "2024-07-14T16:05:09"],
    ["photo_2024-07-14_16-05-09 (2).jpg", "2024-07-14T16:05:09"],
    ["video_2024-07-14_16-05-09.mp4", "2024-07-14T16:05:09"],
    ["2024-07-14 16.05.09.jpg", "2024-07-14T16:05:09"],
    ["1985-08-12 Wedding.jpg", "1985-08-12"],
    ["IMG_20240714_256099.jpg", "2024-07-14"],
    ["IMG_1234.JPG", null],
    ["DSC00042.JPG", null],
    ["P1020304.JPG", null],
    ["IMG_20240231_160509.jpg", null],
    ["IMG_20241314_160509.jpg", null],
    ["received_20190504123456789012.jpeg", null],
    ["1720973109123.jpg", "2024-07-14T16:05:09"],
    ["mmexport1720973109123.jpg", "2024-07-14T16:05:09"],
    ["mmexport1720973109123(1).jpg", "2024-07-14T16:05:09"],
    ["wx_camera_1720973109123.jpg", "2024-07-14T16:05:09"],
    ["FB_IMG_1720973109123.jpg", "2024-07-14T16:05:09"],
    ["z1720973109123_0123456789abcdef.jpg", null],
    ["9781720973109.jpg", null],
    ["received_172097310912345.jpeg", null],
    ["IMG20240714160509.jpg", "2024-07-14T16:05:09"],
    ["IMG_20240714_160509_BURST001_COVER.jpg", "2024-07-14T16:05:09"],
    ["00100lPORTRAIT_00100_BURST20240714160509123_COVER.jpg", "2024-07-14T16:05:09"],
    ["VID_20240714_160509497_HDR.mp4", "2024-07-14T16:05:09"],
    ["P_20240714_160509_BF.jpg", "2024-07-14T16:05:09"],
    ["WP_20140714_16_05_09_Pro.jpg", "2014-07-14T16:05:09"],
    ["WP_20140714_001.jpg", "2014-07-14"],
    ["WIN_20240714_16_05_09_Pro.mp4", "2024-07-14T16:05:09"],
    ["DJI_20240714160509_0001_D.JPG", "2024-07-14T16:05:09"],
    ["VID_20240714_160509_00_001.mp4", "2024-07-14T16:05:09"],
    ["2024_0714_160509_001.MP4", "2024-07-14T16:05:09"],
    ["20240714_160509000_iOS.heic", "2024-07-14T16:05:09"],
    ["IMG-20140714-00012.jpg", "2014-07-14"],
    ["KakaoTalk_20240714_160509123.jpg", "2024-07-14T16:05:09"],
    ["KakaoTalk_Photo_2024-07-14-16-05-09.jpeg", "2024-07-14T16:05:09"],
    ["viber_image_2024-07-14_16-05-09-123.jpg", "2024-07-14T16:05:09"],
    ["photo_12@14-07-2024_16-05-09.jpg", "2024-07-14T16:05:09"],
    ["Skype_Picture_2024_07_14T16_05_09_123Z.jpeg", "2024-07-14T16:05:09"],
    ["Picsart_24-07-14_16-05-09-123.jpg", "2024-07-14T16:05:09"],
    ["Screenshot from 2024-07-14 16-05-09.png", "2024-07-14T16:05:09"],
    ["Screenshot 2024-07-14 160509.png", "2024-07-14T16:05:09"],
    ["Capture d’écran 2024-07-14 à 16.05.09.png", "2024-07-14T16:05:09"],
    ["Captura de pantalla 2024-07-14 a las 16.05.09.png", "2024-07-14T16:05:09"],
    ["Снимок экрана 2024-07-14 в 16.05.09.png", "2024-07-14T16:05:09"],
    ["Foto 14.07.2024, 16 05 09.jpg", "2024-07-14T16:05:09"],
    ["Festa 14.07.2024.jpg", "2024-07-14"],
    ["07-14-2024.jpg", null],
    ["192.168.10.20.jpg", null],
    ["Scan_20240714.jpg", null],
    ["Scansione 2024-07-14.jpg", null],
    ["", null],
  ])("%s says %s", async (name, date) => {
    const { rows } = await db.query("select private.date_in_name($1) as date", [name]);
    expect(rows).toEqual([{ date }]);
  });
});

describe("the date of a file", () => {
  const taken = { kind: "taken", source: "exif", local: true };
  const utc = { kind: "header", source: "video", at: "2023-12-31T04:47:05", local: false };
  const future = `${new Date().getFullYear() + 1}-06-01T10:00:00`;
  const unset = ["1969-12-31T19:00:00", "1970-01-01T00:00:00", "1980-01-01T00:03:12", "2000-01-01T00:00:01"];

  test.each<[string, object[], string, string | null, string | null]>([
    [
      "its own, before all others",
      [{ ...taken, at: "2019-05-04T10:00:00" }, utc],
      "VID_20231230_204700.mp4",
      "2019-05-04T10:00:00",
      "exif",
    ],
    [
      "the second of its kind, if a clock was not set",
      [
        { ...taken, at: "2002-12-08T12:00:00" },
        { ...taken, source: "xmp", at: "2013-07-12" },
      ],
      "",
      "2013-07-12",
      "xmp",
    ],
    [
      "the digitised one, if a clock was not set",
      [
        { ...taken, at: "2002-12-08T12:00:41" },
        { ...taken, kind: "digitized", at: "2013-07-12T16:54:27" },
      ],
      "IMG_1.jpg",
      "2013-07-12T16:54:27",
      "exif",
    ],
    [
      "the name's, if a clock was not set",
      [{ ...taken, at: "2002-12-08T12:00:00" }],
      "IMG_20130712_165427.jpg",
      "2013-07-12T16:54:27",
      "name",
    ],
    ["none, if its name has that of an unset clock", [], "IMG_20021208_120000.jpg", null, null],
    ...[...unset, future].map((at): [string, object[], string, null, null] => [
      `not ${at}`,
      [{ ...taken, at }],
      "IMG_1.jpg",
      null,
      null,
    ]),
    ["a year that a person wrote", [{ ...taken, source: "xmp", at: "1970" }], "", "1970", "xmp"],
    ["a day that a person wrote", [{ ...taken, source: "iptc", at: "1980-01-01" }], "", "1980-01-01", "iptc"],
    [
      "the satellites' before an export's",
      [
        { kind: "export", source: "takeout", at: "2013-07-12T10:00:00" },
        { kind: "gps", source: "exif", at: "2013-07-12T16:54:20", local: true },
      ],
      "",
      "2013-07-12T16:54:20",
      "exif",
    ],
    [
      "the name's before that of a change",
      [{ ...taken, kind: "modified", at: "2015-02-26T04:20:03" }],
      "IMG_20130712_165427.jpg",
      "2013-07-12T16:54:27",
      "name",
    ],
    [
      "that of a change, without another",
      [{ ...taken, kind: "modified", at: "2009-08-07T10:11:12" }],
      "IMG_1.jpg",
      "2009-08-07T10:11:12",
      "exif",
    ],
    [
      "the time of its day from another source",
      [
        { ...taken, source: "xmp", at: "2009-08-07" },
        { ...taken, kind: "modified", at: "2009-08-07T10:11:12" },
      ],
      "",
      "2009-08-07T10:11:12",
      "exif",
    ],
    [
      "no time of another day",
      [
        { ...taken, source: "xmp", at: "2009-08-07" },
        { ...taken, kind: "modified", at: "2009-08-08T10:11:12" },
      ],
      "",
      "2009-08-07",
      "xmp",
    ],
    ["the local time in the name", [utc], "VID_20231230_204700.mp4", "2023-12-30T20:47:00", "video"],
    ["the local time in a name east of Greenwich", [utc], "VID_20231231_103200.mp4", "2023-12-31T10:32:00", "video"],
    ["the header's, if the name has another minute", [utc], "VID_20231230_205000.mp4", "2023-12-31T04:47:05", "video"],
    ["the header's, if the name is of another day", [utc], "VID_20231228_204700.mp4", "2023-12-31T04:47:05", "video"],
    ["the header's, if the name has only a day", [utc], "VID-20231230-WA0001.mp4", "2023-12-31T04:47:05", "video"],
    [
      "the header's, if that is local",
      [{ ...utc, local: true }],
      "PXL_20231230_204705000.mp4",
      "2023-12-31T04:47:05",
      "video",
    ],
    [
      "the local time in the name with an export",
      [{ kind: "export", source: "takeout", at: "2023-12-31T04:47:00" }],
      "20231230_204700.jpg",
      "2023-12-30T20:47:00",
      "takeout",
    ],
    [
      "any sensible one",
      [
        { ...taken, at: "0001-01-01T00:00:00" },
        { ...taken, at: "9999-12-31T23:59:59" },
        { kind: "export", source: "takeout", at: "2023-02-31T04:47:00" },
      ],
      "x",
      null,
      null,
    ],
  ])("is %s", async (_name, evidence, name, taken_at, source) => {
    const { rows } = await db.query("select * from private.date_of_evidence($1, $2, 20)", [
      JSON.stringify(evidence),
      name,
    ]);
    expect(rows).toEqual([{ taken_at, source }]);
  });

  test("may be written into the header when a long recording ends", async () => {
    const agree = "select taken_at from private.date_of_evidence($1, 'VID_20231230_204000.mp4', $2)";
    const evidence = JSON.stringify([utc]);
    expect((await db.query(agree, [evidence, 430])).rows).toEqual([{ taken_at: "2023-12-30T20:40:00" }]);
    expect((await db.query(agree, [evidence, 300])).rows).toEqual([{ taken_at: utc.at }]);
    expect((await db.query(agree, [evidence, 1e308])).rows).toEqual([{ taken_at: "2023-12-30T20:40:00" }]);
  });
});

describe("a time that people may write", () => {
  test("is in the years 1 to 9999 in every table, so that browsers and the server can read it", async () => {
    const { rows } = await db.query<{ name: string; bounded: boolean }>(
      `select distinct c.table_name || '.' || c.column_name as name, exists (select from pg_constraint k
         where k.conrelid = format('public.%I', c.table_name)::regclass and k.conname = c.column_name || '_in_years_1_to_9999') as bounded
       from information_schema.columns c join information_schema.column_privileges p using (table_schema, table_name, column_name)
       where c.table_schema = 'public' and (c.data_type like 'timestamp%' or c.data_type = 'date')
         and p.grantee in ('anon', 'authenticated') and p.privilege_type in ('INSERT', 'UPDATE')`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ bounded }) => !bounded)).toEqual([]);
  });

  test.each(["infinity", "-infinity", "294000-01-01", "0044-03-15 BC"])("is not “%s”", async (time) => {
    for (const text of [
      "update share_links set expires_at = $2 where memory_id = $1",
      "update invitations set sent_at = $2 where memory_id = $1",
      "insert into notice_preferences (memory_id, user_id, paused_until) values ($1, auth.uid(), $2)",
    ]) {
      // A link cannot end in the past either.
      const refused = { code: expect.stringMatching(/^(23514|PT400)$/) };
      await expect(run(world.callers.owner, text, [world.memoryId, time])).rejects.toMatchObject(refused);
    }
  });
});
