import type { MemoryContents } from "../contents.ts";
import { writtenDates } from "./days.ts";
import { Page } from "./Page.tsx";
import type { ArchiveTexts } from "./texts.ts";

interface AlbumPageProps {
  name: string;
  memories: { memory: MemoryContents; href: string; cover?: string }[];
  words: ArchiveTexts;
  today: string;
}

/** The first page of an album's archive: its memories, each with a page of its own. */
export function AlbumPage({ name, memories, words, today }: AlbumPageProps) {
  return (
    <Page title={name} words={words} root="" today={today}>
      <header className="album">
        <h1>{name}</h1>
        <p>{words.memories(memories.length)}</p>
      </header>
      <ul className="cards">
        {memories.map(({ memory, href, cover }) => {
          const videos = memory.items.filter(({ type }) => type === "video").length;
          return (
            <li key={memory.id} className={cover ? "card" : "card sky"}>
              <a href={href}>
                {cover && <img src={cover} alt="" loading="lazy" />}
                <span>
                  <strong>{memory.person_name}</strong>
                  <span>{writtenDates(memory, words)}</span>
                  <span>{words.items(memory.items.length - videos, videos)}</span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </Page>
  );
}
