import type { Row } from "../../../shared/database.ts";

type MediaRow = Pick<Row<"media">, "id" | "type" | "object_name" | "poster_name" | "placeholder"> & {
  details: { user_id: string | null } | null;
  credit: { name: string } | null;
};

/** A photo, video or recording of an event, with who added it. */
export interface AddedPhoto extends Omit<MediaRow, "details" | "credit"> {
  userId: string | null;
  /** Empty if the name is unknown. */
  name: string;
}

/** The photos that the person added, if `author` is given, otherwise those of everybody else. */
export const addedBy = (rows: readonly MediaRow[], author: string | undefined, me: string): AddedPhoto[] =>
  rows
    .map(({ details, credit, ...row }) => ({ ...row, userId: details?.user_id ?? null, name: credit?.name ?? "" }))
    .filter(({ userId }) => (author ? userId === author : userId !== me));

/** Who added photos: the name of the last person, and whether others did, too; undefined without a name. */
export function authorsOf(
  photos: readonly AddedPhoto[],
): { name: string; userId: string | null; others: boolean } | undefined {
  const [first] = photos.filter(({ name }) => name !== "");
  if (!first) return undefined;
  return { name: first.name, userId: first.userId, others: photos.some(({ name }) => name !== first.name) };
}

const KINDS = { image: "photos", video: "videos", audio: "recordings" } as const;

/** What was added, if it is the same kind of file throughout; `count` is the number of all, also those not in `photos`. */
export function kindOf(photos: readonly AddedPhoto[], count: number): "photos" | "videos" | "recordings" | "both" {
  if (photos.length < count) return "both";
  const types = new Set(photos.map(({ type }) => type));
  const [type] = types;
  return types.size === 1 && type ? KINDS[type] : "both";
}
