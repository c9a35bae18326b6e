/**
 * How a photo is shown, instead of as the file is: parts are blurred, then it is turned, straightened and cropped. The file
 * never changes. The database checks edits by the same rules (`private.is_edit`).
 */
export interface PhotoEdit {
  /** Degrees clockwise. */
  turn: Turn;
  /** Degrees clockwise, from -45 to 45, with one decimal. The frame shrinks, so that no corner is empty. */
  straighten: number;
  /** Left, top, width and height in fractions of the frame, with four decimals. */
  crop: Crop;
  /** Parts of the upright file that nobody else may see; absent without any. */
  blur?: Box[];
  /** Pixels of the upright file. The database writes them; absent until they are known. */
  of?: [width: number, height: number];
}

export type Turn = 0 | 90 | 180 | 270;
export type Crop = Box;
/** Left, top, width and height in fractions, with four decimals. */
export type Box = [left: number, top: number, width: number, height: number];

interface Size {
  width: number;
  height: number;
}

/** Fractions of a picture, from its left and its top. */
interface Point {
  x: number;
  y: number;
}

export const WHOLE: Crop = [0, 0, 1, 1];
/** The smallest width and height of a crop. */
export const LEAST_CROP = 0.05;
export const MOST_STRAIGHTENING = 45;
/** The smallest width and height of a blurred part. */
export const LEAST_BLUR = 0.005;
export const MOST_BLURS = 50;

/** Shows a photo as its file is. */
export const UNEDITED: PhotoEdit = { turn: 0, straighten: 0, crop: WHOLE };

export const roundedTo = (value: number, decimals: number) => {
  const factor = 10 ** decimals;
  // Without the sum, 0 could be -0.
  return Math.round(value * factor) / factor + 0;
};

/** Whether an edit changes nothing. */
const isNone = ({ turn, straighten, crop, blur }: PhotoEdit) =>
  !blur?.length && turn === 0 && straighten === 0 && crop.every((part, place) => part === WHOLE[place]);

/** An edit as it is written: without the size of the file, and null if it changes nothing. */
export const writtenEdit = (edit: PhotoEdit | null): PhotoEdit | null =>
  edit && !isNone(edit)
    ? { turn: edit.turn, straighten: edit.straighten, crop: edit.crop, ...(edit.blur?.length && { blur: edit.blur }) }
    : null;

/** A photo as it was taken. What is blurred stays so, because somebody may have asked for it. */
export const asTaken = (edit: PhotoEdit | null): PhotoEdit | null =>
  writtenEdit({ ...UNEDITED, ...(edit?.blur && { blur: edit.blur }) });

/** Whether a value is an edit that the database would store. */
export function isEdit(value: unknown): value is PhotoEdit {
  if (typeof value !== "object" || value === null) return false;
  const { turn, straighten, crop, blur, of: _, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0 || !isTurn(turn) || !isDecimal(straighten, 1)) return false;
  if (Math.abs(straighten) > MOST_STRAIGHTENING || !isBox(crop, LEAST_CROP)) return false;
  if (blur === undefined) return true;
  if (!Array.isArray(blur) || blur.length === 0 || blur.length > MOST_BLURS) return false;
  return blur.every((part) => isBox(part, LEAST_BLUR));
}

function isBox(value: unknown, least: number): value is Box {
  if (!Array.isArray(value) || value.length !== 4) return false;
  if (!value.every((part): part is number => isDecimal(part, 4) && part >= 0 && part <= 1)) return false;
  const [left = 0, top = 0, width = 0, height = 0] = value;
  return width >= least && height >= least && roundedTo(left + width, 4) <= 1 && roundedTo(top + height, 4) <= 1;
}

const isTurn = (value: unknown): value is Turn => value === 0 || value === 90 || value === 180 || value === 270;

const isDecimal = (value: unknown, decimals: number): value is number =>
  typeof value === "number" && Number.isFinite(value) && roundedTo(value, decimals) === value;

/** The edit after turning the shown picture by so many degrees clockwise. */
export function turned(edit: PhotoEdit | null, degrees: number): PhotoEdit | null {
  let next = edit ?? UNEDITED;
  for (let quarter = 0; quarter < (((degrees / 90) % 4) + 4) % 4; quarter++) {
    const [left, top, width, height] = next.crop;
    const crop: Crop = [roundedTo(1 - top - height, 4), left, height, width];
    next = { ...next, turn: ((next.turn + 90) % 360) as Turn, crop };
  }
  return isNone(next) ? null : next;
}

/** The frame of a turned picture that is straightened: the largest of the same shape inside it, without empty corners. */
export function frameOf({ width, height }: Size, { turn, straighten }: Pick<PhotoEdit, "turn" | "straighten">): Size {
  const [across, down] = turn % 180 === 0 ? [width, height] : [height, width];
  const angle = (Math.abs(straighten) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const scale = Math.min(across / (across * cos + down * sin), down / (across * sin + down * cos));
  return { width: across * scale, height: down * scale };
}

/** The size in pixels of a picture as an edit shows it. */
export function editedSize(size: Size, edit: PhotoEdit | null | undefined): Size {
  if (!edit) return size;
  const frame = frameOf(size, edit);
  return {
    width: Math.max(1, Math.floor(frame.width * edit.crop[2] + 0.5)),
    height: Math.max(1, Math.floor(frame.height * edit.crop[3] + 0.5)),
  };
}

/** The place of a point of the file in the picture as shown; undefined outside the crop. */
export function shownPoint(point: Point, edit: PhotoEdit | null): Point | undefined {
  if (!edit) return point;
  const { turned: size, frame, cos, sin } = geometry(edit);
  const at = quarters({ x: point.x - 0.5, y: point.y - 0.5 }, edit.turn);
  const [x, y] = [at.x * size.width, at.y * size.height];
  const [left, top, width, height] = edit.crop;
  const shown = {
    x: ((x * cos - y * sin) / frame.width + 0.5 - left) / width,
    y: ((x * sin + y * cos) / frame.height + 0.5 - top) / height,
  };
  const isInside = [shown.x, shown.y].every((part) => part >= -1e-4 && part <= 1 + 1e-4);
  return isInside ? { x: inside(shown.x), y: inside(shown.y) } : undefined;
}

/** The place in the file of a point of the picture as shown. */
export function filePoint(point: Point, edit: PhotoEdit | null): Point {
  if (!edit) return point;
  const { turned: size, frame, cos, sin } = geometry(edit);
  const [left, top, width, height] = edit.crop;
  const x = (left + point.x * width - 0.5) * frame.width;
  const y = (top + point.y * height - 0.5) * frame.height;
  const at = { x: (x * cos + y * sin) / size.width, y: (y * cos - x * sin) / size.height };
  const file = quarters(at, (360 - edit.turn) % 360);
  return { x: inside(roundedTo(file.x + 0.5, 4)), y: inside(roundedTo(file.y + 0.5, 4)) };
}

const inside = (value: number) => Math.min(1, Math.max(0, value));

function geometry(edit: PhotoEdit) {
  const [width, height] = edit.of ?? [1, 1];
  const angle = (edit.straighten * Math.PI) / 180;
  return {
    turned: edit.turn % 180 === 0 ? { width, height } : { width: height, height: width },
    frame: frameOf({ width, height }, edit),
    cos: Math.cos(angle),
    sin: Math.sin(angle),
  };
}

/** A point from the middle, turned clockwise by quarters. */
function quarters({ x, y }: Point, degrees: number): Point {
  if (degrees === 90) return { x: -y, y: x };
  if (degrees === 180) return { x: -x, y: -y };
  return degrees === 270 ? { x: y, y: -x } : { x, y };
}
