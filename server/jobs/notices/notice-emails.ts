import { excerpt } from "../../../shared/excerpt.ts";
import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import type { EmailProps, NoticeEmailName, NoticeLine, NoticeOrder } from "../../emails/email-props.ts";
import type { MemoryPictures } from "../../emails/memory-picture.ts";
import type { StoppingNotices } from "../../unsubscribing/unsubscribing.ts";
import { memoryUrl, placeOfNotice, readerOf, type VisibleNotice, visibleNotices } from "./visible-notices.ts";

/** An email's props and unsubscribe links. */
export interface WrittenNotices {
  props: EmailProps[NoticeEmailName];
  /** The reader, and the memory if it is about one. */
  reader: Caller;
  memory: string | null;
  /** Pictures of the people in its lines, by content id. */
  faces: ReadonlyMap<string, Buffer>;
  page: string;
  endpoint: string;
}

/** Renders an email about notices with its reader's permissions; undefined if no content is left. */
export type WriteNotices = (template: NoticeEmailName, order: NoticeOrder) => Promise<WrittenNotices | undefined>;

const NAMES: readonly string[] = ["notices", "reminder", "link-locked", "storage-warning", "file-lost"];

export const isNoticeEmail = (name: string): name is NoticeEmailName => NAMES.includes(name);

/** The maximum number of lines about one memory; further ones are counted, not listed. */
const LINES = 20;

export const writeNotices =
  (deps: {
    db: Database;
    stopping: StoppingNotices;
    publicUrl: string;
    pictures: Pick<MemoryPictures, "face">;
  }): WriteNotices =>
  async (template, { person, notices, cadence }) => {
    const { db, stopping, publicUrl, pictures } = deps;
    const noticesById = new Map(notices.map(({ id, told }) => [id, told]));
    const reader = readerOf(person);
    const seen = await visibleNotices(db, reader, [...noticesById.keys()]);
    const rows = (await stillWanted(db, person, seen))
      .map((row) => ({ ...row, count: row.kind === "held" ? row.waiting : row.count - (noticesById.get(row.id) ?? 0) }))
      .filter(({ count }) => count > 0);
    const [first] = rows;
    if (!first) return undefined;
    const memories = new Set(rows.map(({ memory_id }) => memory_id));
    const ended = { person, memory: memories.size === 1 ? first.memory_id : null };
    const faces = await facesOf(pictures, rows);
    const links = {
      faces,
      page: stopping.page(ended),
      endpoint: stopping.endpoint(ended),
      reader,
      memory: ended.memory,
    };
    const settingsUrl = `${publicUrl}/profile#notices`;
    const at = memoryUrl(publicUrl, first);
    switch (template) {
      case "reminder":
        return {
          props: {
            occasion: first.kind as "birthday",
            name: first.name ?? "",
            years: first.count,
            passed: first.passed,
            url: at,
            settingsUrl,
          },
          ...links,
        };
      case "link-locked":
        return { props: { name: first.name ?? first.album ?? "", label: first.label ?? "", url: at }, ...links };
      case "storage-warning":
        return { props: { percent: PERCENT[first.kind] ?? 100, url: `${publicUrl}/dashboard` }, ...links };
      case "file-lost":
        return { props: { name: first.name ?? "", files: first.count, url: at + placeOfNotice(first) }, ...links };
      case "notices":
        return { props: { cadence, memories: byMemory(publicUrl, rows, faces), settingsUrl }, ...links };
    }
  };

const PERCENT: Record<string, 75 | 90> = { "storage-75": 75, "storage-90": 90 };

/** Removes memories that the reader has muted since the email was enqueued. */
async function stillWanted(db: Database, person: string, rows: VisibleNotice[]): Promise<VisibleNotice[]> {
  const { rows: ended } = await db.query<{ memory: string | null }>(
    `select memory from unnest($2::uuid[]) as memory where private.mail_cadence($1, memory) = 'never'`,
    [person, [...new Set(rows.map(({ memory_id }) => memory_id))]],
  );
  return rows.filter(({ memory_id }) => !ended.some(({ memory }) => memory === memory_id));
}

/** Makes each person's picture once. Pictures that cannot be made are left out. */
async function facesOf(
  pictures: Pick<MemoryPictures, "face">,
  rows: readonly VisibleNotice[],
): Promise<Map<string, Buffer>> {
  const faces = new Map<string, Buffer>();
  for (const object of new Set(rows.flatMap(({ face }) => face ?? []))) {
    const picture = await pictures.face(object);
    if (picture) faces.set(object, picture);
  }
  return faces;
}

function byMemory(
  publicUrl: string,
  rows: readonly VisibleNotice[],
  faces: ReadonlyMap<string, Buffer>,
): EmailProps["notices"]["memories"] {
  const groups = new Map<string | null, VisibleNotice[]>();
  for (const row of rows) groups.set(row.memory_id, [...(groups.get(row.memory_id) ?? []), row]);
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const url = memoryUrl(publicUrl, first);
    const lines = all.slice(0, LINES).map((row): NoticeLine => {
      const noticeExcerpt = row.body ?? row.title;
      return {
        kind: row.kind as NoticeLine["kind"],
        actor: row.actor_name,
        count: row.count,
        url: url + placeOfNotice(row),
        ...(row.face !== null && faces.has(row.face) ? { face: row.face } : {}),
        ...(noticeExcerpt ? { excerpt: excerpt(noticeExcerpt) } : {}),
      };
    });
    return [{ name: first.name ?? "", url, lines, more: all.length - lines.length }];
  });
}
