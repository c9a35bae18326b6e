import type { Contents, Item, MemoryContents } from "../contents.ts";
import { clockOf, type Places } from "../file-names.ts";
import { type SummedEntry, storedEntry, textEntry } from "../manifest.ts";
import type { FileToMeasure, Measured } from "../measured-files.ts";
import { namesEntry } from "../names-entry.ts";
import { attachedForm, ownForm, pageForms } from "../own-form.ts";
import { ARCHIVE_SCRIPT, ARCHIVE_STYLE } from "./archive-assets.ts";
import { writtenDates } from "./days.ts";
import { MemoryPage } from "./MemoryPage.tsx";
import { Page, renderPage } from "./Page.tsx";
import { isShownByBrowsers, type ShownItem, smallSize } from "./shown-item.ts";
import { type ArchiveTexts, archiveTexts } from "./texts.ts";

interface AlbumPageProps {
  name: string;
  memories: { memory: MemoryContents; href: string; cover?: string }[];
  texts: ArchiveTexts;
  today: string;
}

/** The first page of an album's archive: a list of its memories, with links to their pages. */
function AlbumPage({ name, memories, texts, today }: AlbumPageProps) {
  return (
    <Page title={name} texts={texts} root="" today={today}>
      <header className="album">
        <h1 dir="auto">{name}</h1>
        <p>{texts.memories(memories.length)}</p>
      </header>
      <ul className="cards">
        {memories.map(({ memory, href, cover }) => {
          const count = (kind: keyof typeof FOLDERS) =>
            memory.items.filter((item) => folderOf(item) === FOLDERS[kind]).length;
          return (
            <li key={memory.id} className={cover ? "card" : "card sky"}>
              <a href={href}>
                {cover && <img src={cover} alt="" loading="lazy" />}
                <span>
                  <strong dir="auto">{memory.person_name}</strong>
                  <span>{writtenDates(memory, texts)}</span>
                  <span>{texts.items(count("image"), count("video"), count("audio"), count("paper"))}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </Page>
  );
}

interface Archive {
  contents: Contents;
  measured: Measured;
  places: Places;
  language: "en" | "it";
  /** `2026-11-20` */
  today: string;
}

const small = (item: Item): FileToMeasure | undefined => {
  const object = item.type !== "image" ? item.poster : item.state === "broken" ? null : item.object;
  return object ? { object, form: "small" } : undefined;
};
/** Whether a page can show a file itself: browsers can, and it is not an original that is shown in another way. */
const isShown = ({ object, form }: FileToMeasure, type = object.type) =>
  isShownByBrowsers(type) && !(form === "original" && object.edit);
/** The large copy: for the header of a page, and for the lightbox if that cannot show the file itself. */
const large = (item: Item): FileToMeasure | undefined =>
  item.type === "image" && item.state !== "broken" && (item.is_cover || !isShown(ownForm(item)))
    ? { object: item.object, form: "large" }
    : undefined;

/** The large copy of the back of a print, if the lightbox cannot show the file itself. */
const largeBack = ({ back, ...item }: Item): FileToMeasure | undefined => {
  const form = back ? attachedForm({ back, ...item })?.form : undefined;
  return form === "original" && back && !isShown({ object: { ...back, access: "original" }, form })
    ? { object: { ...back, access: "copy" }, form: "large", front: item.object }
    : undefined;
};

const FOLDERS = { image: "photos", video: "videos", audio: "recordings", paper: "papers" };
const folderOf = ({ type, pages }: Item) => FOLDERS[pages ? "paper" : type];

/** The copies that the pages show of an item, in addition to its own file. */
export const archiveFiles = (item: Item): FileToMeasure[] =>
  [small(item), large(item), largeBack(item)].filter((file) => file !== undefined);

/** The files and pages of an archive: `index.html` and everything that it links to. */
export function archiveEntries(archive: Archive): SummedEntry[] {
  const { contents, places, today, language } = archive;
  const dated = `${today}T00:00:00`;
  const texts = archiveTexts[language];
  const entriesByMemory = contents.memories.map((memory) => memoryEntries(archive, memory));
  const index = !places.together
    ? []
    : [
        textEntry(
          `${places.folder}/index.html`,
          dated,
          renderPage(
            <AlbumPage
              name={contents.album ?? places.folder}
              texts={texts}
              today={today}
              memories={entriesByMemory.map(({ memory, folder, cover }) => {
                const way = `${encodeURIComponent(folder.slice(places.folder.length + 1))}/`;
                return { memory, href: `${way}index.html`, cover: cover && way + cover };
              })}
            />,
          ),
        ),
      ];
  return [
    ...index,
    textEntry(`${places.folder}/style/archive.css`, dated, ARCHIVE_STYLE),
    textEntry(`${places.folder}/style/archive.js`, dated, ARCHIVE_SCRIPT),
    ...entriesByMemory.flatMap(({ entries }) => entries),
  ];
}

function memoryEntries({ measured, places, language, today }: Archive, memory: MemoryContents) {
  const folder = places.ofMemory(memory);
  const entries: SummedEntry[] = [];
  const put = (below: string, item: Item, file: FileToMeasure | undefined): string | undefined => {
    const measurement = file && measured.get(file);
    if (!file || !measurement) return undefined;
    const name = places.name(`${folder}/${below}`, item, measurement.type);
    const path = `${folder}/${below}/${name}`;
    entries.push(storedEntry(path, clockOf(item), file, measurement));
    if (below === FOLDERS[item.type]) entries.push(...namesEntry(path, item));
    return `${below}/${encodeURIComponent(name)}`;
  };

  const putAttached = (item: Item) => {
    const form = attachedForm(item);
    const measurement = form && measured.get(form);
    if (!measurement) return undefined;
    const name = places.attachedName(`${folder}/photos`, item, measurement.type);
    entries.push(storedEntry(`${folder}/photos/${name}`, clockOf(item), form, measurement));
    return { file: `photos/${encodeURIComponent(name)}`, type: measurement.type };
  };

  let cover: string | undefined;
  let first: string | undefined;
  const items = memory.items.flatMap((item): ShownItem[] => {
    const own = put(folderOf(item), item, ownForm(item));
    if (!own) return [];
    const src = put("thumbnails", item, small(item));
    const filling = put("large", item, large(item));
    const pages = pageForms(item).flatMap((form) => put(folderOf(item), item, form) ?? []);
    const attached = putAttached(item);
    const back = item.back ? attached : undefined;
    const backLarge = back && (largeBack(item) ? put("large", item, largeBack(item)) : back.file);
    first ??= item.type === "image" ? src : undefined;
    if (item.is_cover) cover = filling;
    return [
      {
        item,
        file: own,
        large: isShown(ownForm(item), measured.get(ownForm(item))?.type ?? "") ? own : filling,
        video: back ? undefined : attached?.file,
        back: back && { file: back.file, large: backLarge },
        pages,
        small: src ? { src, ...smallSize(item) } : undefined,
      },
    ];
  });
  const root = places.together ? "../" : "";
  const page = renderPage(
    <MemoryPage
      memory={memory}
      items={items}
      cover={cover}
      texts={archiveTexts[language]}
      root={root}
      back={places.together ? `${root}index.html` : undefined}
      today={today}
    />,
  );
  return {
    memory,
    folder,
    cover: cover ?? first,
    entries: [textEntry(`${folder}/index.html`, `${today}T00:00:00`, page), ...entries],
  };
}
